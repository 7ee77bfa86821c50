/** The answers of all who could be asked; when none could, the reason of the first. */
export function whatWasTold<Answer>(asked: readonly PromiseSettledResult<readonly Answer[]>[]): Answer[] {
  const told = asked.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  const [first] = asked
  if (told.length === 0 && first?.status === 'rejected') throw first.reason
  return told.flat()
}
