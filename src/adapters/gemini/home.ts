import { createHash } from 'node:crypto'
import { homedir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import type { RunOptions } from '../../contract/run-options.ts'
import type { WorkingCopy } from '../../contract/spawn.ts'
import { placeOf } from '../../core/agent-paths.ts'
import { filesInEach, textIfThere } from '../../files/run-lookups.ts'
import { manifest } from './manifest.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** The CLI's own directory. */
export function geminiHome(env: Environment, homeDir: string): string {
  return placeOf('~/.gemini', manifest.directories, { env, homeDir })
}

/** The same for a run. */
export function homeOf({ env }: RunOptions): string {
  const all: Environment = { ...process.env, ...env }
  return geminiHome(all, all.HOME ?? homedir())
}

const SELECTED_AUTH = /"selectedType"\s*:\s*"([^"]+)"/

/** How the user's settings make the CLI sign in; undefined when they leave it to the environment. */
export function selectedAuth(options: RunOptions): string | undefined {
  return SELECTED_AUTH.exec(textIfThere(join(homeOf(options), 'settings.json')) ?? '')?.[1]
}

/** The largest of the files of one session: a resume leaves others that hold no word of the conversation. */
export function transcriptOf(options: RunOptions, sessionId: string): string | undefined {
  const endings = [fileNameEnd(sessionId), copyNameEnd(sessionId)]
  const isOfSession = (name: string) => name.startsWith('session-') && endings.some((ending) => name.endsWith(ending))
  const files = filesInEach(join(homeOf(options), 'tmp'), 'chats', isOfSession)
  return files.find((file) => textIfThere(file)?.slice(0, 4096).includes(`"sessionId":"${sessionId}"`))
}

function fileNameEnd(sessionId: string): string {
  return `-${sessionId.slice(0, 8)}.jsonl`
}

/** The CLI takes the last eight characters for the short id of a session: here they are those of no other. */
function copyNameEnd(sessionId: string): string {
  const shortId = createHash('sha256').update(sessionId).digest('hex').slice(0, 8)
  return `-${sessionId.slice(0, 8)}-${shortId}.jsonl`
}

// Of two files of one session that are as old as each other, the CLI takes the one whose name comes first.
const COPY_NAME_START = 'session-0-'

/**
 * CLI 0.61 begins each resume with a stub of a transcript, `session-<this minute>-<short id>.jsonl`. Where the session
 * is of the same minute that empties the real one; else the CLI at its next start takes the stub
 * for rubbish and deletes all files whose names end like it. So a resume goes on in a copy, whose name does not.
 */
export function workingCopyOf(options: RunOptions, sessionId: string): WorkingCopy | undefined {
  const file = transcriptOf(options, sessionId)
  if (file === undefined) return undefined
  const name = basename(file)
  // When the CLI has deleted the original of a copy that a killed run has left, it gets it back.
  const originalName = name.startsWith(COPY_NAME_START)
    ? `session-${name.slice(COPY_NAME_START.length, -copyNameEnd(sessionId).length)}${fileNameEnd(sessionId)}`
    : name
  const stem = originalName.slice('session-'.length, -fileNameEnd(sessionId).length)
  return {
    original: join(dirname(file), originalName),
    copy: join(dirname(file), `${COPY_NAME_START}${stem}${copyNameEnd(sessionId)}`),
    litter: { fileNameEnd: fileNameEnd(sessionId), opening: '{"sessionId":', content: ['\n{"id":', '"type":"gemini"'] },
  }
}
