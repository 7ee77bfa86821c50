import { constants } from 'node:fs'
import { lstat, mkdir, open, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { RunResult } from '../contract/run-handle.ts'
import { createRedactor } from '../secrets/redaction.ts'

const RUN_INDEX = 'run-index.jsonl'
const MAX_LINE_BYTES = 4096
const MAX_NAME_LENGTH = 200

/**
 * One line per finished run: in the index of its project, and in that of the user, for the lists of sessions. Short
 * appends to a file opened for append are atomic, so runs need no lock.
 */
export async function appendToRunIndex(
  projectDir: string,
  dataDir: string,
  result: RunResult,
  projectId?: string,
): Promise<void> {
  const line = `${createRedactor({}, process.env)(indexLine(result, projectId))}\n`
  await Promise.all([
    mkdir(dataDir, { recursive: true, mode: 0o700 }).then(() => append(dataDir, line)),
    appendToProject(projectDir, line),
  ])
}

/** A directory that is a link, or another user's, is not ours to write to. */
async function appendToProject(projectDir: string, line: string): Promise<void> {
  await mkdir(projectDir, { recursive: true, mode: 0o755 })
  const found = await lstat(projectDir)
  if (!found.isDirectory() || (process.getuid && found.uid !== process.getuid())) return
  await append(projectDir, line)
  await keepOutOfGit(projectDir)
}

/** Never through a link: a repository could make it lead to any file of the user's. */
async function append(directory: string, line: string): Promise<void> {
  const { O_APPEND, O_CREAT, O_WRONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants
  const file = await open(join(directory, RUN_INDEX), O_APPEND | O_CREAT | O_WRONLY | O_NOFOLLOW | O_NONBLOCK, 0o600)
  try {
    const stats = await file.stat()
    // An earlier version let others read it: which agents ran here, and at what cost, is for the user alone.
    if ((stats.mode & 0o077) !== 0) await file.chmod(0o600).catch(() => undefined)
    if (stats.isFile()) await file.appendFile(line)
  } finally {
    await file.close()
  }
}

/** The settings of a project may be in its repository; what we write beside them is not. A file of the user's own stays. */
async function keepOutOfGit(projectDir: string): Promise<void> {
  const path = join(projectDir, '.gitignore')
  // Most often it is there already. A run does not need it to be writable.
  await writeFile(path, `${RUN_INDEX}\n.gitignore\n`, { flag: 'wx', mode: 0o644 }).catch(() => undefined)
}

export function indexLine(result: RunResult, projectId?: string): string {
  const { runId, agent, model, sessionId, cost, outcome, tags } = result
  const entry = {
    v: 1,
    runId,
    agent,
    model: model ?? undefined,
    sessionId: sessionId ?? undefined,
    timestamp: new Date().toISOString(),
    cost: cost ?? undefined,
    outcome: outcome.kind,
    projectId,
    tags,
  }
  const line = JSON.stringify(entry)
  if (Buffer.byteLength(line) < MAX_LINE_BYTES) return line
  // These come from outside and have no bound of their own.
  const short = (text: string | undefined) => text?.slice(0, MAX_NAME_LENGTH)
  const names = {
    agent: short(agent),
    model: short(entry.model),
    sessionId: short(entry.sessionId),
    projectId: short(projectId),
  }
  return JSON.stringify({ ...entry, ...names, tags: [] })
}
