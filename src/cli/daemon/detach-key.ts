import { usageError } from '../command.ts'

/** Shift, Alt, Super and so on must not be held; Caps Lock and Num Lock (64 and 128) do not matter. */
const CTRL_MODIFIERS = [5, 5 + 64, 5 + 128, 5 + 64 + 128].join('|')

/**
 * All that a terminal may send for a key that is pressed with Ctrl: the control character, or, where the agent has asked for
 * more exact keys, the forms of the kitty protocol (with alternate keys, pressed or repeated) and of xterm's modifyOtherKeys.
 */
export function detachPattern(key: string): RegExp {
  const upper = key.toUpperCase().charCodeAt(0)
  if (key.length !== 1 || !(upper >= 0x40 && upper <= 0x5f)) {
    throw usageError(`--detach-key must be one letter, or one of \\ ] ^ _, not "${key}"`)
  }
  const control = `\\x${(upper & 0x1f).toString(16).padStart(2, '0')}`
  const code = key.toLowerCase().charCodeAt(0)
  const kitty = `\\x1b\\[${code}(?::[0-9:]*)?;(?:${CTRL_MODIFIERS})(?::[12])?(?:;[0-9:]*)?u`
  const other = `\\x1b\\[27;5;${code}~`
  return new RegExp(`${control}|${kitty}|${other}`)
}
