import { AgentMuxError, isAgentMuxError } from '../contract/errors.ts'
import type {
  ControlCommand,
  ControlResult,
  LaunchResult,
  LaunchSecrets,
  LaunchSpec,
  RunnerStatus,
} from '../contract/launch.ts'
import type { DeltaGuard } from '../secrets/delta-guard.ts'
import type { Redact } from '../secrets/redact.ts'
import type { ControlConnection } from './control-server.ts'
import type { NativeLog } from './native-log.ts'

/** What a launch passes to its runner. */
export interface LaunchPort {
  onSpawn(pid: number): void
  onRecords(records: number, offset: number): void
}

export interface LaunchContext {
  launchDir: string
  spec: LaunchSpec
  secrets: LaunchSecrets
  runId: string
  /** Of this package. */
  version: string
  redact: Redact
  /** For texts that come in pieces. */
  guard: DeltaGuard
  port: LaunchPort
}

export type LaunchEnd = Omit<LaunchResult, 'format' | 'launchId' | 'endedAt'>

/** The end of a launch that did not come about. */
export function refusal(error: unknown): Omit<LaunchEnd, 'records'> {
  const { code, message, hint } = isAgentMuxError(error)
    ? error
    : new AgentMuxError('INTERNAL', error instanceof Error ? error.message : String(error))
  return { how: 'refused', result: null, exit: null, error: { code, message, hint } }
}

/** A launch as its runner sees it, with a terminal or without. */
export interface Launch {
  readonly native: NativeLog
  /** Runs to the end. All records are on disk when this resolves. */
  run(): Promise<LaunchEnd>
  perform(command: ControlCommand, connection: ControlConnection): Promise<ControlResult>
  status(): Omit<RunnerStatus, 'agent'>
  stop(): Promise<void>
  onClose(connection: ControlConnection): void
}
