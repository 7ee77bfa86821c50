// What a program may ask its terminal: who it is, where the cursor is, which modes and colours are set.
const QUERY =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: terminals speak in control characters
  /\x1b\[[?>=]?[0-9;]*(?:c|n|\$p|q|u(?<=\?u))|\x1b\](?:4;\d+|1[0-9]);\?(?:\x07|\x1b\\)|\x1bP[+$]q[^\x1b]*\x1b\\|\x1b\[>?[0-9;]*t/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: as above
const UNFINISHED = /\x1b(?:\[[?>=]?[0-9;]*\$?|\][^\x07\x1b]{0,64}\x1b?|P[^\x1b]{0,64}\x1b?)?$/

/**
 * Takes out of a terminal's output what asks the terminal something. The runner answers that itself; were it sent on,
 * every viewer's terminal would answer as well, and the program would take the answers for typing.
 */
export class QueryFilter {
  #rest = ''

  push(text: string): string {
    const whole = this.#rest + text
    const [unfinished] = UNFINISHED.exec(whole) ?? ['']
    this.#rest = unfinished
    return whole.slice(0, whole.length - unfinished.length).replace(QUERY, '')
  }
}
