import type { Dialogue, DialogueCommand, DialogueExit, Effect, HostResult } from '../../../contract/dialogue.ts'
import type { StreamSource } from '../../../contract/events.ts'
import type { AdapterManifest } from '../../../contract/manifest.ts'
import type { RunOptions } from '../../../contract/run-options.ts'
import { type JsonRecord, parseRecord } from '../../../core/json.ts'
import { oneWayStream } from '../../kit/one-way.ts'
import { acpDialogue, isAcpRecord } from './dialogue.ts'
import type { AcpProfile } from './profile.ts'

interface Wires {
  /** What this run was started for. */
  usesAcp: boolean
  acp: Dialogue
  /** The agent's own stream. */
  stream: Dialogue
  /** Where that is JSON-RPC as well: which records are not its own. */
  isAcp?(record: JsonRecord): boolean
}

/** For agents that have a stream of their own besides ACP. A run knows its wire; a recording shows it by its records. */
export function eitherWire({ usesAcp, acp, stream, isAcp = isAcpRecord }: Wires): Dialogue {
  const wanted = usesAcp ? acp : stream
  let spoken: Dialogue | null = null
  const hear = (line: string): Dialogue => {
    const record = spoken === null ? parseRecord(line) : null
    if (record !== null) spoken = isAcp(record) ? acp : stream
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

interface OwnRecords<State extends { settled: boolean }> {
  manifest: AdapterManifest
  profile: AcpProfile
  usesAcp: boolean
  options: RunOptions
  /** Where the command line of the stream has taken some of the options already. */
  streamOptions?: RunOptions
  state: State
  record(state: State, record: JsonRecord): Effect[]
}

/** The same, where the agent's own stream is the records of one turn, and nothing can be said to it. */
export function acpOrRecords<State extends { settled: boolean }>(agent: OwnRecords<State>): Dialogue {
  const { manifest, profile, usesAcp, options, streamOptions = options, state } = agent
  const { displayName } = manifest
  const { guidance, exitWords } = profile
  return eitherWire({
    usesAcp,
    acp: acpDialogue(manifest.agent, profile)(options),
    stream: oneWayStream({
      ...{ options: streamOptions, displayName, guidance, exitWords },
      record: (record) => agent.record(state, record),
      isSettled: () => state.settled,
    }),
  })
}
