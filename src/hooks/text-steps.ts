/** One change of a text: what was at `at` and what is there now. */
export interface TextStep {
  at: number
  removed: string
  inserted: string
}

/** The smallest step that makes `after` of `before`. */
export function stepBetween(before: string, after: string): TextStep {
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && before[start] === after[start]) start += 1
  let tail = 0
  while (tail < shorter - start && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1
  return {
    at: start,
    removed: before.slice(start, before.length - tail),
    inserted: after.slice(start, after.length - tail),
  }
}

/** Takes steps back, last one first, in a text where each is still in its place. */
export function undoInPlace(text: string, steps: readonly TextStep[]): string {
  return steps.reduceRight((next, { at, removed, inserted }) => splice(next, at, inserted.length, removed), text)
}

/** The same in a text that was changed since: null when a step cannot be found there, or not for sure. */
export function undoByContent(text: string, steps: readonly TextStep[]): string | null {
  let next = text
  for (const { removed, inserted } of steps.toReversed()) {
    const at = next.indexOf(inserted)
    if (inserted === '' || at === -1 || next.indexOf(inserted, at + 1) !== -1) return null
    next = splice(next, at, inserted.length, removed)
  }
  return next
}

function splice(text: string, at: number, length: number, instead: string): string {
  return text.slice(0, at) + instead + text.slice(at + length)
}
