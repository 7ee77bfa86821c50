import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AgentMuxError } from '../contract/errors.ts'
import { quoteWord } from '../core/command-line.ts'
import { asRecord, asString, parseRecord } from '../core/json.ts'

export interface Launcher {
  /** Where the launcher is written. */
  binDir: string
  command: string
  /** Absolute paths as they will be when the launcher runs. */
  executable: string
  entry: string
}

/** The script behind a command, as its package's own `bin` field names it. */
export async function entryOf(packageDirectory: string, command: string): Promise<string> {
  const { bin } = parseRecord(await readFile(join(packageDirectory, 'package.json'), 'utf8')) ?? {}
  const entry = asString(bin) ?? asString(asRecord(bin)?.[command])
  if (entry === undefined) throw new AgentMuxError('SPAWN_ERROR', `${packageDirectory} has no command "${command}"`)
  return entry
}

/** Writes a command that runs a script on a runtime of its own. The shell is replaced, so signals reach the runtime. */
export async function writeLauncher({ binDir, command, executable, entry }: Launcher): Promise<void> {
  await mkdir(binDir, { recursive: true })
  if (process.platform === 'win32') {
    await writeFile(join(binDir, `${command}.cmd`), `@"${executable}" "${entry}" %*\r\n`)
    return
  }
  const path = join(binDir, command)
  await writeFile(path, `#!/bin/sh\nexec ${quoteWord(executable)} ${quoteWord(entry)} "$@"\n`)
  await chmod(path, 0o755)
}
