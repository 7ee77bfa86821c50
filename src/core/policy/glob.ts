/** Whether a text fits a pattern in which `*` stands for any characters. Takes no longer for a hostile pattern. */
export function fitsText(pattern: string, text: string): boolean {
  return fits([...pattern], [...text], '*', (one, char) => one === char)
}

/** The same for paths with `/`: `*` and `?` stay in one part, `**` is any number of parts. */
export function fitsPath(pattern: string, path: string): boolean {
  const parts = (text: string) => text.split('/').filter((part, index) => part !== '' || index === 0)
  return fits(parts(pattern), parts(path), '**', (one, part) =>
    fits([...one], [...part], '*', (a, b) => a === b || a === '?'),
  )
}

/** Two places to go back to are enough: a later star never needs less than the one before it. */
function fits<One>(pattern: readonly One[], text: readonly One[], star: One, same: (a: One, b: One) => boolean) {
  let p = 0
  let t = 0
  let starAt = -1
  let taken = 0
  while (t < text.length) {
    const [wanted, given] = [pattern[p], text[t]]
    if (p < pattern.length && wanted === star) {
      starAt = p
      taken = t
      p += 1
    } else if (wanted !== undefined && given !== undefined && p < pattern.length && same(wanted, given)) {
      p += 1
      t += 1
    } else if (starAt !== -1) {
      p = starAt + 1
      taken += 1
      t = taken
    } else return false
  }
  while (p < pattern.length && pattern[p] === star) p += 1
  return p === pattern.length
}
