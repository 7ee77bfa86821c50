/** One hunk in unified form: what differs between the first and the last line that are not the same. */
export function lineDiff(before: string, after: string): string {
  const [old, now] = [linesOf(before), linesOf(after)]
  let start = 0
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1
  let end = 0
  while (end < old.length - start && end < now.length - start && old.at(-1 - end) === now.at(-1 - end)) end += 1
  const removed = old.slice(start, old.length - end)
  const added = now.slice(start, now.length - end)
  if (removed.length + added.length === 0) return ''
  const place = (lines: string[]) => `${lines.length === 0 ? start : start + 1},${lines.length}`
  const body = [...removed.map((line) => `-${line}`), ...added.map((line) => `+${line}`)]
  return `@@ -${place(removed)} +${place(added)} @@\n${body.join('\n')}\n`
}

function linesOf(text: string): string[] {
  const lines = text.split('\n')
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines
}
