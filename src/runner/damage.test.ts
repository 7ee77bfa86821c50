import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DAMAGES, FILES } from '../../test/support/damages.ts'
import { cancelLaunch } from './cancel.ts'
import { endLaunch } from './end-launch.ts'
import { claimLaunch, readResult } from './launch-files.ts'
import { readRecords } from './read-records.ts'
import { recoverEvents } from './recover.ts'
import { runnerState } from './state.ts'

let scratch: string
let count = 0

beforeAll(() => {
  scratch = mkdtempSync(join(tmpdir(), 'amux-damage-'))
})
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

const frame = (n: number, kind: string, data: unknown) => `${JSON.stringify({ n, t: n, kind, data })}\n`
const IDS = { session_id: '565fa31e-b1db-443a-94a3-c9dbf5947026', uuid: 'u' }
const TEXT = { type: 'assistant', message: { id: 'm', role: 'assistant', model: 'm', content: [], usage: {} }, ...IDS }

/** A launch whose runner was killed in the middle of its turn. */
function lostLaunch(): string {
  count += 1
  const launchId = `s${count}-1`
  const launchDir = join(scratch, launchId)
  mkdirSync(launchDir)
  const options = { prompt: 'count 3', runId: launchId }
  const base = { format: 1, launchId, sessionId: `s${count}`, launch: 1, agent: 'claude', createdAt: 1 }
  const runner = { pid: 1, startTime: 'never', bootId: 'of another boot' }
  const header = { format: 1, runId: launchId, agent: 'claude', version: '0', options: { ...options, agent: 'claude' } }
  const files: Record<string, string> = {
    'launch.json': JSON.stringify({ ...base, mode: 'headless', options }),
    'runner.json': JSON.stringify({ format: 1, launchId, runner, agent: null, socket: join(launchDir, 'none') }),
    'native.ndjson':
      frame(1, 'begin', header) +
      frame(2, 'input', { kind: 'start', stdinIsOpen: true }) +
      frame(3, 'out', JSON.stringify(TEXT)),
    'events.ndjson': `${JSON.stringify({ n: 1, frame: 2, event: { type: 'session_start', runId: launchId } })}\n`,
  }
  for (const [name, content] of Object.entries(files)) writeFileSync(join(launchDir, name), content)
  return launchDir
}

const mark = (launchDir: string) => ({ sessionId: launchDir, launch: 1, dataDir: scratch })

describe.each(FILES)('%s', (file) => {
  test.each(Object.keys(DAMAGES))('%s: the launch still comes to an end, and says why', async (damage) => {
    const launchDir = lostLaunch()
    DAMAGES[damage]?.(join(launchDir, file))
    const { state } = await runnerState(launchDir)
    expect(state).toBe('lost')
    await readRecords(launchDir, 0).catch((error: Error) => expect(error.message).toContain('is damaged'))
    await endLaunch(launchDir, mark(launchDir))
    const result = await recoverEvents(launchDir)
    expect(result).toMatchObject({ how: 'lost', launchId: expect.stringMatching(/^s\d+-1$/) })
    // A runner may be killed before it has written a first line: that is nothing to complain about.
    const isNew = file === 'native.ndjson' && ['missing', 'empty'].includes(damage)
    if (!isNew) expect(result.result ?? result.error, 'how it ended').not.toBeNull()
    expect((await runnerState(launchDir)).state).toBe('ended')
    expect(await cancelLaunch(launchDir, null)).toBe(false)
  })
})

test('a launch is cancelled once and for all: no runner can claim it after that', async () => {
  const launchDir = lostLaunch()
  rmSync(join(launchDir, 'runner.json'))
  rmSync(join(launchDir, 'native.ndjson'))
  expect((await runnerState(launchDir)).state).toBe('never_started')
  expect(await cancelLaunch(launchDir, { code: 'SPAWN_ERROR', message: 'it did not start' })).toBe(true)
  const info = JSON.parse(readFileSync(join(launchDir, 'runner.json'), 'utf8'))
  expect(claimLaunch(launchDir, { ...info, cancelled: undefined })).toBe(false)
  expect(await cancelLaunch(launchDir, null)).toBe(false)
  // A daemon that died between the two steps leaves the claim alone.
  rmSync(join(launchDir, 'result.json'))
  expect((await recoverEvents(launchDir)).error?.message).toBe('it did not start')
  expect((await readResult(launchDir))?.how).toBe('refused')
})
