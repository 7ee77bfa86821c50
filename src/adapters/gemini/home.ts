import { homedir } from 'node:os'
import { join } from 'node:path'
import type { RunOptions } from '../../contract/run-options.ts'
import { filesInEach, renameIfPossible, textIfThere } from '../../files/run-lookups.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** The CLI's own directory. */
export function geminiHome(env: Environment, homeDir: string): string {
  return join(env.GEMINI_CLI_HOME || homeDir, '.gemini')
}

function homeOf({ env }: RunOptions): string {
  const all: Environment = { ...process.env, ...env }
  return geminiHome(all, all.HOME ?? homedir())
}

const SELECTED_AUTH = /"selectedType"\s*:\s*"([^"]+)"/

/** How the user's settings make the CLI sign in; undefined when they leave it to the environment. */
export function selectedAuth(options: RunOptions): string | undefined {
  return SELECTED_AUTH.exec(textIfThere(join(homeOf(options), 'settings.json')) ?? '')?.[1]
}

const KEPT = '.kept.jsonl'

/** The largest of the files of one session: a resume leaves others that hold no word of the conversation. */
export function transcriptOf(options: RunOptions, sessionId: string): string | undefined {
  const shortId = sessionId.slice(0, 8)
  const endings = [`-${shortId}.jsonl`, `-${shortId}${KEPT}`]
  const isOfSession = (name: string) => name.startsWith('session-') && endings.some((ending) => name.endsWith(ending))
  const files = filesInEach(join(homeOf(options), 'tmp'), 'chats', isOfSession)
  return files.find((file) => textIfThere(file)?.slice(0, 4096).includes(`"sessionId":"${sessionId}"`))
}

/**
 * CLI 0.61 begins each resume with a stub of a transcript, `session-<this minute>-<short id>.jsonl`. Where the session
 * is of the same minute that empties the real one; else the CLI at its next start, whoever starts it, takes the stub
 * for rubbish and deletes all files whose names end like it. Under this name the CLI finds the conversation as well,
 * goes on with it there, and neither happens.
 */
export function keepTranscript(options: RunOptions, sessionId: string): void {
  const file = transcriptOf(options, sessionId)
  if (file !== undefined && !file.endsWith(KEPT)) renameIfPossible(file, file.replace(/\.jsonl$/, KEPT))
}
