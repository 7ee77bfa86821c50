/** Scripts that are written without spaces: there each character is taken for a word. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/gu

/** Text as it is put into the index: with words where an index looks for words. */
export function spaced(text: string): string {
  return text.replace(UNSPACED, ' $& ')
}

const TERM = /"([^"]+)"|(\S+)/g

/**
 * What a person looks for, as expressions of FTS5, all of which must be there. Words match by their beginning; what
 * is in quotes, or has signs between its letters, is matched exactly.
 */
export function searchTerms(text: string): string[] {
  const terms: string[] = []
  for (const [, phrase, word] of text.matchAll(TERM)) {
    const term = spaced(phrase ?? word ?? '')
      .replaceAll('"', ' ')
      .trim()
    if (!/[\p{L}\p{N}]/u.test(term)) continue
    terms.push(phrase === undefined ? `"${term}"*` : `"${term}"`)
  }
  return terms
}
