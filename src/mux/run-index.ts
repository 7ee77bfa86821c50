import { appendFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { RunResult } from '../contract/run-handle.ts'

const MAX_LINE_BYTES = 4096
const MAX_NAME_LENGTH = 200

/**
 * One line per finished run: in the index of its project, and in that of the user, for the lists of sessions. Short
 * appends to a file opened for append are atomic, so runs need no lock.
 */
export async function appendToRunIndex(directories: readonly string[], result: RunResult): Promise<void> {
  const line = `${indexLine(result)}\n`
  const append = async (directory: string) => {
    await mkdir(directory, { recursive: true })
    await appendFile(join(directory, 'run-index.jsonl'), line)
  }
  await Promise.all(directories.map(append))
}

export function indexLine({ runId, agent, model, sessionId, cost, outcome, tags }: RunResult): string {
  const entry = {
    v: 1,
    runId,
    agent,
    model: model ?? undefined,
    sessionId: sessionId ?? undefined,
    timestamp: new Date().toISOString(),
    cost: cost ?? undefined,
    outcome: outcome.kind,
    tags,
  }
  const line = JSON.stringify(entry)
  if (Buffer.byteLength(line) < MAX_LINE_BYTES) return line
  // These come from outside and have no bound of their own.
  const short = (text: string | undefined) => text?.slice(0, MAX_NAME_LENGTH)
  const names = { agent: short(agent), model: short(entry.model), sessionId: short(entry.sessionId) }
  return JSON.stringify({ ...entry, ...names, tags: [] })
}
