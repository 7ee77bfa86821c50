import type { Dialogue, DialogueCommand, DialogueExit, Effect, HostResult } from '../../contract/dialogue.ts'
import type { StreamSource } from '../../contract/events.ts'
import { parseRecord } from '../../core/json.ts'
import { isAcpRecord } from './dialogue.ts'

interface Wires {
  /** What this run was started for. */
  usesAcp: boolean
  acp: Dialogue
  /** The agent's own one-way stream. */
  stream: Dialogue
}

/** For agents that have a stream of their own besides ACP. A run knows its wire; a recording shows it by its records. */
export function eitherWire({ usesAcp, acp, stream }: Wires): Dialogue {
  const wanted = usesAcp ? acp : stream
  let spoken: Dialogue | null = null
  const hear = (line: string): Dialogue => {
    const record = spoken === null ? parseRecord(line) : null
    if (record !== null) spoken = isAcpRecord(record) ? acp : stream
    return spoken ?? wanted
  }
  return {
    start(options) {
      spoken = wanted
      return wanted.start(options)
    },
    onLine(line: string, source: StreamSource): Effect[] {
      return (source === 'stderr' ? (spoken ?? wanted) : hear(line)).onLine(line, source)
    },
    onWritten: (line: string) => hear(line).onWritten?.(line) ?? [],
    onCommand: (command: DialogueCommand) => (spoken ?? wanted).onCommand(command),
    onHost: (requestId: string, result: HostResult) => (spoken ?? wanted).onHost?.(requestId, result) ?? [],
    onExit: (exit: DialogueExit) => (spoken ?? wanted).onExit(exit),
    busy: () => (spoken ?? wanted).busy?.() ?? false,
  }
}
