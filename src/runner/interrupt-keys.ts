import type { TerminalKeys } from '../contract/terminal.ts'

/** Escape and Ctrl+C as terminals send them that report keys in the extended form. */
const EXTENDED: Readonly<Record<string, RegExp>> = {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it is about them
  '\x1b': /^\x1b\[27(;1(:1)?)?u$/,
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it is about them
  '\x03': /^\x1b\[99;5(:1)?u$/,
}
const CTRL_C = '\x03'

/** Whether somebody at the screen has pressed a key that stops a turn. Arrow keys begin like Escape, and are not. */
export function isInterruptKey(data: string, { interrupt }: Pick<TerminalKeys, 'interrupt'>): boolean {
  return [...interrupt, CTRL_C].some((key) => data === key || EXTENDED[key]?.test(data) === true)
}
