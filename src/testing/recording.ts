import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AgentAdapter } from '../contract/adapter.ts'
import type { AgentEvent } from '../contract/events.ts'
import type { RunResult } from '../contract/run-handle.ts'
import type { RunOptions } from '../contract/run-options.ts'
import { asNumber, asRecord, asString, isRecord } from '../core/json.ts'
import { replay } from '../engine/replay.ts'

/** What a real CLI printed in one run. */
export interface Recording {
  stdout: Buffer
  stderr: Buffer
  exitCode: number | null
  signal: string | null
  /** The options of that run, as far as they matter to read it (a resumed session, say). */
  options: Partial<RunOptions>
}

/** Reads `<directory>/{stdout.jsonl,stderr.txt,meta.json}`. */
export function readRecording(directory: string): Recording {
  const bytes = (name: string) => {
    const path = join(directory, name)
    return existsSync(path) ? readFileSync(path) : Buffer.alloc(0)
  }
  const text = bytes('meta.json').toString('utf8')
  const meta: unknown = text === '' ? {} : JSON.parse(text)
  const fields = isRecord(meta) ? meta : {}
  const signal = asString(fields.signal) ?? null
  return {
    stdout: bytes('stdout.jsonl'),
    stderr: bytes('stderr.txt'),
    exitCode: asNumber(fields.exitCode) ?? (signal === null ? 0 : null),
    signal,
    options: asRecord(fields.options) ?? {},
  }
}

/** Interprets a recording as a live run would. Id and clock are fixed, so the same recording gives the same events. */
export function replayRecording(
  adapter: AgentAdapter,
  recording: Recording,
): { events: AgentEvent[]; result: RunResult } {
  return replay(adapter, recording, { runId: '0'.repeat(26), now: () => 0, options: recording.options })
}
