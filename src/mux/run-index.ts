import { appendFile, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { RunResult } from '../contract/run-handle.ts'

const RUN_INDEX = 'run-index.jsonl'
const MAX_LINE_BYTES = 4096
const MAX_NAME_LENGTH = 200

/**
 * One line per finished run: in the index of its project, and in that of the user, for the lists of sessions. Short
 * appends to a file opened for append are atomic, so runs need no lock.
 */
export async function appendToRunIndex(projectDir: string, dataDir: string, result: RunResult): Promise<void> {
  const line = `${indexLine(result)}\n`
  const append = async (directory: string) => {
    await mkdir(directory, { recursive: true })
    await appendFile(join(directory, RUN_INDEX), line)
  }
  await Promise.all([append(dataDir), append(projectDir).then(() => keepOutOfGit(projectDir))])
}

/** The settings of a project may be in its repository; what we write beside them is not. A file of the user's own stays. */
async function keepOutOfGit(projectDir: string): Promise<void> {
  const path = join(projectDir, '.gitignore')
  // Most often it is there already. That it cannot be written is no harm to a run.
  await writeFile(path, `${RUN_INDEX}\n.gitignore\n`, { flag: 'wx' }).catch(() => undefined)
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
