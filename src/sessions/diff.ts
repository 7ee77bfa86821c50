import type { SessionDiff, SessionDiffOperation } from '../contract/session-manager.ts'
import type { Session, SessionMessage } from '../contract/sessions.ts'
import { commonSubsequence } from './common-subsequence.ts'

/** Who said what, and which tools it called: what makes two messages the same. */
function keyOf({ role, content, toolCalls }: SessionMessage): string {
  return JSON.stringify([role, content, toolCalls?.map(({ toolName, input }) => [toolName, input])])
}

/** What was added, taken away or said otherwise on the way from one conversation to another. */
export function diffSessions({ messages: a }: Session, { messages: b }: Session): SessionDiff {
  const pairs = commonSubsequence(a.map(keyOf), b.map(keyOf))
  const operations: SessionDiffOperation[] = []
  let [atA, atB] = [0, 0]
  for (const [i, j] of [...pairs, [a.length, b.length] as const]) {
    operations.push(...changes(a, b, [atA, i], [atB, j]))
    if (i < a.length) operations.push({ op: 'unchanged', indexA: i, indexB: j, messageA: a[i], messageB: b[j] })
    ;[atA, atB] = [i + 1, j + 1]
  }
  const count = (op: SessionDiffOperation['op']) => operations.filter((one) => one.op === op).length
  const stats = {
    additions: count('addition'),
    removals: count('removal'),
    modifications: count('modification'),
    unchanged: count('unchanged'),
  }
  return { operations, stats }
}

type Range = readonly [start: number, end: number]

/** Between two messages that both have: one for one where the same role spoke, the rest removed or added. */
function changes(
  a: readonly SessionMessage[],
  b: readonly SessionMessage[],
  [startA, endA]: Range,
  [startB, endB]: Range,
): SessionDiffOperation[] {
  const operations: SessionDiffOperation[] = []
  let [i, j] = [startA, startB]
  while (i < endA && j < endB && a[i]?.role === b[j]?.role) {
    operations.push({ op: 'modification', indexA: i, indexB: j, messageA: a[i], messageB: b[j] })
    i += 1
    j += 1
  }
  for (; i < endA; i++) operations.push({ op: 'removal', indexA: i, messageA: a[i] })
  for (; j < endB; j++) operations.push({ op: 'addition', indexB: j, messageB: b[j] })
  return operations
}
