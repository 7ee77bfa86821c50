import type { AgentEvent } from '../contract/events.ts'
import type { QuotaStatus } from '../contract/quota.ts'
import type { InputPosition, RunInput, RunTap } from '../engine/run-input.ts'
import type { NativeLog } from './native-log.ts'
import type { RecordLog } from './record-log.ts'
import type { Reserve } from './reserve.ts'

export interface TapListener {
  onSpawn(pid: number): void
  /** There are more records on disk. */
  onRecords(): void
}

/** Writes the inputs of a run before they are interpreted, and the events that come of them after. */
export class LaunchTap implements RunTap {
  readonly #native: NativeLog
  readonly #records: RecordLog
  readonly #reserve: Reserve
  readonly #listener: TapListener

  constructor(native: NativeLog, records: RecordLog, reserve: Reserve, listener: TapListener) {
    this.#native = native
    this.#records = records
    this.#reserve = reserve
    this.#listener = listener
  }

  inputs(inputs: readonly RunInput[], during: InputPosition | null): number {
    try {
      return this.#native.inputs(inputs, during)
    } catch (error) {
      this.#reserve.release()
      throw error
    }
  }

  event(event: AgentEvent, index: number): void {
    this.#records.addEvent(event, this.#native.first + index)
    if (event.type !== 'turn_end') return
    this.#native.sync()
    this.#records.sync()
  }

  settled(): void {
    try {
      if (this.#records.flush()) this.#listener.onRecords()
    } catch (error) {
      this.#reserve.release()
      throw error
    }
  }

  spawned(pid: number): void {
    this.#native.note({ kind: 'spawn', data: { pid } })
    this.#listener.onSpawn(pid)
  }

  quota(quota: QuotaStatus): void {
    this.#records.addQuota(quota)
  }

  wrote(line: string): void {
    this.#native.note({ kind: 'in', data: line })
  }
}
