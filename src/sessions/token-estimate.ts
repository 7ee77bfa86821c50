/** Characters of English and code in one token; a little fewer than usual, so that an estimate is rather too high. */
const ASCII_PER_TOKEN = 3.5

/** About how many tokens a model counts in a text. Other scripts have about one a character. */
export function estimateTokens(text: string): number {
  let ascii = 0
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) < 128) ascii += 1
  return Math.ceil(ascii / ASCII_PER_TOKEN + (text.length - ascii))
}

/** The beginning and the end of a text, and how much was left out between them. */
export function shorten(text: string, limit: number): string {
  if (text.length <= limit) return text
  const end = Math.floor(limit / 3)
  const start = Math.max(0, limit - end)
  const left = text.length - start - end
  return `${text.slice(0, start)}\n[… ${left} characters left out …]\n${text.slice(text.length - end)}`
}
