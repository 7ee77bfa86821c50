import { chmod, mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { HOOK_MARK } from '../contract/hooks.ts'
import { quoteWord } from '../core/command-line.ts'
import { atomicWrite, nullWhenMissing } from '../files/atomic-write.ts'
import { spoolDirectory } from './spool.ts'
import { PARTIAL, WHOLE } from './spool-entry.ts'

/** Where the program is that agents call. */
export function callbackPath(dataDir: string, platform: NodeJS.Platform = process.platform): string {
  return join(dataDir, 'hooks', platform === 'win32' ? `${HOOK_MARK}.cmd` : HOOK_MARK)
}

/** What an agent's process must be given so that its hooks are ours. */
export function hookEnvironment(sessionId: string, launch: number, dataDir: string): Record<string, string> {
  return { AMUX_SESSION_ID: sessionId, AMUX_LAUNCH: String(launch), AGENT_MUX_DATA_DIR: dataDir }
}

/** Writes the program and makes the spool, where they are missing or of another version. */
export async function ensureCallback(dataDir: string): Promise<string> {
  const path = callbackPath(dataDir)
  const content = process.platform === 'win32' ? commandFile() : callbackScript(dataDir)
  await mkdir(join(dataDir, 'hooks'), { recursive: true, mode: 0o700 })
  await mkdir(spoolDirectory(dataDir), { recursive: true, mode: 0o700 })
  if ((await readFile(path, 'utf8').catch(nullWhenMissing)) === content) return path
  await atomicWrite(path, content, { mode: 0o700 })
  await chmod(path, 0o700)
  return path
}

/**
 * Starts two processes, and only for sessions of ours; everything else is built into the shell. The payload is copied
 * as it is: a shell that read it would lose bytes and time. A process id comes around again, so a name may be taken.
 */
export function callbackScript(dataDir: string): string {
  return `#!/bin/sh
# Hands a hook of an agent to agent-mux, and never disturbs the agent. Usage: ${HOOK_MARK} ADAPTER EVENT [ANSWER]
[ -n "$3" ] && printf '%s\\n' "$3"
[ -n "$AMUX_SESSION_ID" ] || exit 0
exec 2>/dev/null
case $AMUX_SESSION_ID in */* | *[[:space:]]*) exit 0 ;; esac
umask 077
if [ -n "$AGENT_MUX_DATA_DIR" ]; then data=$AGENT_MUX_DATA_DIR; else data=${quoteWord(dataDir)}; fi
spool=$data/spool
[ -d "$spool" ] || mkdir "$spool"
name=$spool/$AMUX_SESSION_ID.\${AMUX_LAUNCH:-0}.$$
while [ -e "$name${WHOLE}" ] || [ -e "$name${PARTIAL}" ]; do name=\${name}_; done
{
  printf 'amux-hook 1 %s %s %s %s\\n' "$1" "$2" "$AMUX_SESSION_ID" "\${AMUX_LAUNCH:-0}" &&
    { [ -t 0 ] || cat; }
} >"$name${PARTIAL}" && mv "$name${PARTIAL}" "$name${WHOLE}" || {
  rm -f "$name${PARTIAL}"
  printf '%s %s %s: not delivered\\n' "$1" "$2" "$AMUX_SESSION_ID" >>"$data/hooks.log"
}
exit 0
`
}

function commandFile(): string {
  const amux = fileURLToPath(new URL('../../bin/amux.js', import.meta.url))
  return `@rem ${HOOK_MARK}\r\n@"${process.execPath}" "${amux}" hooks %*\r\n`
}
