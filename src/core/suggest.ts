/** The known word nearest to a mistyped one, or null when none is near. */
export function suggest(word: string, known: readonly string[]): string | null {
  return nearest(word, known, 1)[0] ?? null
}

/** The known words near to a mistyped one, the nearest first. When several are asked for, so is one that holds it. */
export function nearest(word: string, known: readonly string[], limit: number): string[] {
  const wanted = word.toLowerCase()
  const tooFar = Math.max(2, Math.floor(word.length / 3)) + 1
  return known
    .map((candidate) => ({ candidate, distance: distanceTo(wanted, candidate.toLowerCase(), limit > 1) }))
    .filter(({ distance }) => distance < tooFar)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, limit)
    .map(({ candidate }) => candidate)
}

function distanceTo(wanted: string, candidate: string, partsCount: boolean): number {
  if (partsCount && wanted.length >= 3 && candidate.includes(wanted)) return 1
  return editDistance(wanted, candidate)
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const replace = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(replace, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}
