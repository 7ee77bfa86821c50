/** Splits like a shell does: blanks separate, quotes and backslashes keep together. Null when a quote is left open. */
export function splitWords(line: string): string[] | null {
  const words: string[] = []
  let word: string | null = null
  let quote: string | null = null
  for (let i = 0; i < line.length; i++) {
    const character = line.charAt(i)
    if (quote === null && /\s/.test(character)) {
      if (word !== null) words.push(word)
      word = null
    } else if (character === quote) {
      quote = null
    } else if (quote === null && (character === '"' || character === "'")) {
      quote = character
      word ??= ''
    } else if (character === '\\' && quote !== "'" && i + 1 < line.length) {
      i += 1
      word = (word ?? '') + line.charAt(i)
    } else {
      word = (word ?? '') + character
    }
  }
  if (word !== null) words.push(word)
  return quote === null ? words : null
}
