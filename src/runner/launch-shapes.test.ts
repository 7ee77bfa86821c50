import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { LaunchRecord } from '../contract/launch.ts'
import { DeltaGuard } from '../secrets/delta-guard.ts'
import { readRecords } from './read-records.ts'
import { RecordLog } from './record-log.ts'

type KeysOf<Union> = Union extends unknown ? keyof Union : never
type RecordKind = Exclude<KeysOf<LaunchRecord>, 'n' | 'frame' | 'held' | 'added' | 'events' | 'blobs'>

/** How each kind of record is written. A new kind does not compile until it is here. */
const WRITERS: Record<RecordKind, (log: RecordLog) => void> = {
  event: (log) => log.addEvent({ runId: 'r', agent: 'a', timestamp: 1, type: 'message_stop', text: 'hi' }, 1),
  fact: (log) => log.addFact({ state: 'idle', source: 'screen', at: 1, launch: 1 }),
  quota: (log) =>
    log.addQuota({
      ...{ agent: 'claude', windows: [], isRateLimited: false, earliestResetAt: null, measuredAt: 1, source: 'run' },
    }),
}

test.each(Object.entries(WRITERS))('a record of kind %s that was written can be read', async (kind, write) => {
  const directory = mkdtempSync(join(tmpdir(), 'agent-mux-shapes-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  const same = (text: string) => text
  const guard = new DeltaGuard({ find: () => [], maskOf: same, waitFrom: (text) => text.length })
  const log = new RecordLog(directory, same, guard)
  write(log)
  log.close()
  const { records } = await readRecords(directory, 0)
  expect(records).toHaveLength(1)
  expect(records[0]).toHaveProperty(kind)
})
