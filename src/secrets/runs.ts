/** What keys and encoded texts are made of. */
const IN_RUN = new Uint8Array(128)
for (const character of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/_=.~-') {
  IN_RUN[character.charCodeAt(0)] = 1
}

/** Whether the character at this place is one of them. */
export function isInRun(text: string, at: number): boolean {
  return IN_RUN[text.charCodeAt(at)] === 1
}

/** No key is shorter. */
const MIN_RUN = 14

/**
 * Calls for every run of such characters that is long enough. A loop, because no pattern is as quick; and it looks at
 * one character in so many first, since a long run has one of them.
 */
export function eachRun(text: string, visit: (start: number, end: number) => void): void {
  const { length } = text
  let after = 0
  for (let at = MIN_RUN - 1; at < length; at = after + MIN_RUN - 1) {
    if (IN_RUN[text.charCodeAt(at)] !== 1) {
      after = at + 1
      continue
    }
    let start = at
    while (start > after && IN_RUN[text.charCodeAt(start - 1)] === 1) start -= 1
    let end = at + 1
    while (end < length && IN_RUN[text.charCodeAt(end)] === 1) end += 1
    if (end - start >= MIN_RUN) visit(start, end)
    after = end + 1
  }
}
