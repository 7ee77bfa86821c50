const ESC = '\x1b'

/** Modes that an agent's screen may switch on and that a shell does not expect: cursor keys, mouse, focus, paste, colour scheme. */
const PRIVATE_MODES = [1, 6, 9, 1000, 1001, 1002, 1003, 1004, 1005, 1006, 1007, 1015, 1016, 2004, 2026, 2031]
/** Margins, insert mode, keypad, character set, looks, cursor shape, auto wrap, and the cursor itself, as a shell expects them. */
const PLAIN_STATE = `${ESC}[r${ESC}[4l${ESC}>${ESC}(B\x0f${ESC}[0m${ESC}[0 q${ESC}[?7h${ESC}[?25h`
/** The kitty protocol off, whatever was pushed on this screen, and xterm's modifyOtherKeys. */
const PLAIN_KEYS = `${ESC}[=0;1u${ESC}[<99u${ESC}[>4;0m`

/** The agent's screen gets one of its own, so that what the user had on theirs, and above it, stays. The title is kept, too. */
export const ENTER_SCREEN = `${ESC}[22;0t${ESC}[?1049h${ESC}[H${ESC}[2J`
/** Before a new picture of the whole screen. */
export const CLEAR_SCREEN = `${ESC}[r${ESC}[0m${ESC}[H${ESC}[2J`
/** Everything back as it was. Keyboard modes belong to a screen, so they end before it does. */
export const LEAVE_SCREEN = `${PRIVATE_MODES.map((mode) => `${ESC}[?${mode}l`).join('')}${PLAIN_STATE}${PLAIN_KEYS}${ESC}[?1049l${ESC}[23;0t`

/** Change of screen, erasing what has scrolled away, reset of the whole terminal. */
const REACHES_OUT =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: terminals speak in control characters
  /\x1b\[\?([0-9;]*)([hl])|\x1b\[3J|\x1bc|\x1b\[!p|\x1b\[2[23](?:;[0-9]+)*t/g
const SCREENS: ReadonlySet<string> = new Set(['47', '1047', '1048', '1049'])
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above
const UNFINISHED = /\x1b(?:\[[?!]?[0-9;]*)?$/

/**
 * Takes out of an agent's output what would reach beyond the screen that we gave it. What it draws on its own alternate
 * screen and on its normal one looks the same to a viewer, so a change between the two only clears.
 */
export class ScreenFilter {
  #rest = ''

  push(text: string): string {
    const whole = this.#rest + text
    const [unfinished] = UNFINISHED.exec(whole) ?? ['']
    this.#rest = unfinished
    return whole.slice(0, whole.length - unfinished.length).replace(REACHES_OUT, (sequence, modes, end) => {
      if (modes === undefined) return sequence === `${ESC}c` || sequence === `${ESC}[!p` ? CLEAR_SCREEN : ''
      const given: string[] = String(modes).split(';')
      const kept = given.filter((mode) => !SCREENS.has(mode))
      if (kept.length === given.length) return sequence
      const clears = given.some((mode) => mode !== '1048') ? `${ESC}[H${ESC}[2J` : ''
      return clears + (kept.length === 0 ? '' : `${ESC}[?${kept.join(';')}${end}`)
    })
  }
}
