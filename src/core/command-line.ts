/**
 * The words of a command line, as a POSIX shell would split it: blanks part words, quotes hold them together, a
 * backslash takes the next character as it is. Nothing is expanded and nothing is run. Null: a quote is not closed.
 */
export function splitCommandLine(line: string): string[] | null {
  const words: string[] = []
  let word: string | null = null
  let quote = ''
  for (let i = 0; i < line.length; i++) {
    const char = line.charAt(i)
    if (quote === "'") {
      if (char === quote) quote = ''
      else word = (word ?? '') + char
    } else if (char === '\\' && (quote === '' || /["\\$`]/.test(line.charAt(i + 1)))) {
      i += 1
      if (i >= line.length) return null
      word = (word ?? '') + line.charAt(i)
    } else if (quote === '"') {
      if (char === quote) quote = ''
      else word = (word ?? '') + char
    } else if (char === '"' || char === "'") {
      quote = char
      word ??= ''
    } else if (/\s/.test(char)) {
      if (word !== null) words.push(word)
      word = null
    } else word = (word ?? '') + char
  }
  if (quote !== '') return null
  return word === null ? words : [...words, word]
}

/** A word as a POSIX shell takes it for itself. */
export function quoteWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}
