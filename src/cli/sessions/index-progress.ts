import type { AgentName } from '../../contract/names.ts'
import type { SessionManager } from '../../contract/session-manager.ts'
import type { Output } from '../output.ts'
import { withProgressBar } from '../progress.ts'

/**
 * Reads what is new in the stores, with a bar on a terminal: the first time may take a while. Without a terminal it is
 * left to the call that needs it.
 */
export async function readSessions(
  sessions: Pick<SessionManager, 'refresh'>,
  output: Output,
  agent?: AgentName,
  text = false,
): Promise<void> {
  if (!output.stderr.isTTY || output.json) return
  await withProgressBar(output, 'Reading sessions', (report) =>
    sessions.refresh({
      agent,
      text,
      onProgress: ({ agent, done, total }) => report({ done, total, label: `Reading ${agent}` }),
    }),
  )
}

/** Names what could not be read, on stderr: the rest is right without it. */
export function noteWarnings({ warnings }: Pick<SessionManager, 'warnings'>, output: Output, debug: boolean): void {
  const [first] = warnings
  if (!first) return
  const paint = output.paint(output.stderr)
  const lines = debug ? warnings : [first]
  for (const { agent, path, message } of lines)
    output.note(`${paint('yellow', 'skipped')} ${agent} ${path}: ${message}`)
  const rest = warnings.length - lines.length
  if (rest > 0) output.note(`${paint('yellow', 'skipped')} ${rest} more: --debug names them`)
}
