/** All answers, without the sources that failed; when every source failed, the first error. */
export function answered<Answer>(asked: readonly PromiseSettledResult<readonly Answer[]>[]): Answer[] {
  const answers = asked.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
  const [first] = asked
  if (answers.length === 0 && first?.status === 'rejected') throw first.reason
  return answers.flat()
}
