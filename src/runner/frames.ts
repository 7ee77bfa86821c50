import type { RunOptions } from '../contract/run-options.ts'
import type { KeptInput } from '../engine/rederive.ts'
import type { RunInput } from '../engine/run-input.ts'

type InputFrame = Exclude<RunInput, { kind: 'line' }>

/** What one line of the native log can say. `out` and `err` are the agent's lines, `in` are ours to it. */
export type FrameBody =
  | { kind: 'begin'; data: LogHeader }
  | { kind: 'spawn'; data: { pid: number } }
  | { kind: 'out' | 'err' | 'in'; data: string }
  | { kind: 'input'; data: InputFrame }
  /** A command that came from outside, before it is carried out, and what became of it. */
  | { kind: 'control'; data: { key: string; command: string } }
  | { kind: 'answer'; data: { key: string; answer: unknown } }

/**
 * One line of the native log. `of`: this one and the next ones were written together, so many in all, before the first
 * of them was interpreted. `like`: it is the line of that frame with other texts `at` these places (`alike-lines.ts`). `in`: an input that came while frame `in[0]` was interpreted, after `in[1]` events.
 */
export type Frame = {
  n: number
  t: number
  of?: number
  in?: [number, number]
  like?: number
  at?: number[]
} & FrameBody

/** The first frame: enough to interpret the others. */
export interface LogHeader {
  format: 1
  runId: string
  agent: string
  /** Of this package. */
  version: string
  options: RunOptions
}

/** The options of a run as they may lie in a file: data without secrets. What is left is what a dialogue looks at. */
export function storableOptions(options: RunOptions): RunOptions {
  const { env, endpoint, mcpServers, signal, onApprovalRequest, onInputRequired, ...rest } = options
  return {
    ...rest,
    ...(mcpServers && { mcpServers: mcpServers.map((server) => withoutSecrets(server)) }),
    ...(endpoint && { endpoint: { ...endpoint, apiKey: '' } }),
  }
}

type McpServer = NonNullable<RunOptions['mcpServers']>[number]

function withoutSecrets(server: McpServer): McpServer {
  if ('url' in server) {
    const { name, transport, url } = server
    return { name, transport, url }
  }
  const { name, transport, command } = server
  return { name, transport, command }
}

export function bodyOf(input: RunInput): FrameBody {
  if (input.kind !== 'line') return { kind: 'input', data: input }
  return { kind: input.source === 'stdout' ? 'out' : 'err', data: input.line }
}

/** Null for a frame that is only for people. */
export function keptInput(frame: Frame): KeptInput | null {
  const { n, t: time } = frame
  const during = frame.in && { n: frame.in[0], events: frame.in[1] }
  const place = during ? { n, time, during } : { n, time }
  if (frame.kind === 'input') return { ...place, input: frame.data }
  if (frame.kind !== 'out' && frame.kind !== 'err') return null
  return { ...place, input: { kind: 'line', source: frame.kind === 'out' ? 'stdout' : 'stderr', line: frame.data } }
}
