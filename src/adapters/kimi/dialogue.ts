import type { Dialogue } from '../../contract/dialogue.ts'
import type { StreamSource } from '../../contract/events.ts'
import type { RunOptions } from '../../contract/run-options.ts'
import { acpDialogue } from '../families/acp/dialogue.ts'
import { eitherWire } from '../families/acp/either-wire.ts'
import { logLine } from './log.ts'
import { profile } from './profile.ts'
import { streamDialogue } from './stream.ts'

/** Runs speak ACP; recordings may be of either wire. */
export function createDialogue(options: RunOptions): Dialogue {
  const acp = acpDialogue('kimi', profile)(options)
  const onLine = (line: string, source: StreamSource) =>
    source === 'stderr' ? logLine(line) : acp.onLine(line, source)
  return eitherWire({ usesAcp: true, acp: { ...acp, onLine }, stream: streamDialogue(options) })
}
