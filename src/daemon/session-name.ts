const MOST_WORDS = 6
const MOST_CHARACTERS = 32

/** A name to type, from the words of a title: `Fix the flaky test!` is `fix-the-flaky-test`. Empty when it has none. */
export function slugOf(title: string): string {
  const plain = title.normalize('NFKD').replace(/\p{M}|['’]/gu, '')
  const words = plain.toLowerCase().match(/[a-z0-9]+/g) ?? []
  const [first = '', ...rest] = words.slice(0, MOST_WORDS)
  let name = first.slice(0, MOST_CHARACTERS)
  for (const word of rest) {
    if (name.length + word.length + 1 > MOST_CHARACTERS) break
    name += `-${word}`
  }
  return name
}

/** The first of `name`, `name-2`, `name-3`… that is free. */
export function freeName(name: string, isTaken: (name: string) => boolean): string {
  if (!isTaken(name)) return name
  for (let number = 2; ; number++) {
    const next = `${name}-${number}`
    if (!isTaken(next)) return next
  }
}
