/** The list without the last texts that were withdrawn together, as `attempt_withdrawn` reports them. */
export function withoutWithdrawn<Entry>(
  entries: readonly Entry[],
  withdrawn: string,
  textOf: (entry: Entry) => string | null,
): Entry[] {
  const kept = [...entries]
  let left = withdrawn
  for (let last = kept.at(-1); last !== undefined && left !== ''; last = kept.at(-1)) {
    const text = textOf(last)
    if (text === null || text === '' || !left.endsWith(text)) break
    left = left.slice(0, left.length - text.length)
    kept.pop()
  }
  return kept
}
