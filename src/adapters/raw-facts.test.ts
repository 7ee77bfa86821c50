import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { fixtureRecordings } from '../../test/support/fixture-recordings.ts'
import { rawFacts } from '../../test/support/raw-facts.ts'
import type { AgentEvent } from '../contract/events.ts'
import { asRecord, parseRecord } from '../core/json.ts'
import { type Recording, readRecording, replayRecording } from '../testing/index.ts'
import { loadAdapterFor } from './index.ts'

// The golden files say what we made of a recording once; this says that it is what the recording itself reports, by other
// code. `AMUX_RECORDINGS=<dir>` adds recordings of the layout `<dir>/<agent>/<scenario>.stdout.jsonl`.
const directories = (path: string): string[] =>
  existsSync(path) ? readdirSync(path).filter((name) => statSync(join(path, name)).isDirectory()) : []

interface Case {
  agent: string
  name: string
  read(): Recording
}

const own = fixtureRecordings.map(
  ({ agent, name, directory }): Case => ({ agent, name, read: () => readRecording(directory) }),
)

const AGENT_OF: Readonly<Record<string, string>> = { pi073: 'pi', cn: 'continue' }

function others(root: string): Case[] {
  // Another program with the name of one of ours.
  const known = directories(root).filter((folder) => folder !== 'vibegrok' && folder !== 'samples')
  return known.flatMap((folder): Case[] =>
    readdirSync(join(root, folder))
      .filter((name) => name.endsWith('.stdout.jsonl') && name !== 'resume-first.stdout.jsonl')
      .map((name) => {
        const base = join(root, folder, name.slice(0, -'.stdout.jsonl'.length))
        const bytes = (path: string) => (existsSync(path) ? readFileSync(path) : Buffer.alloc(0))
        const read = (): Recording => {
          const meta = asRecord(parseRecord(bytes(`${base}.meta.json`).toString('utf8').replaceAll('\n', ' '))) ?? {}
          const exitCode = typeof meta.exitCode === 'number' ? meta.exitCode : null
          const signal = typeof meta.signal === 'string' ? meta.signal : null
          return {
            stdout: bytes(`${base}.stdout.jsonl`),
            stderr: bytes(`${base}.stderr.txt`),
            exitCode,
            signal,
            options: {},
          }
        }
        return { agent: AGENT_OF[folder] ?? folder, name: `${folder}/${name}`, read }
      }),
  )
}

const extra = process.env.AMUX_RECORDINGS
const cases = [...own, ...(extra === undefined ? [] : extra.split(':').flatMap(others))]

function pieces(events: readonly AgentEvent[], type: 'text' | 'thinking'): { deltas: string; whole: string } {
  let [deltas, whole] = ['', '']
  for (const event of events) {
    if (type === 'text' && event.type === 'text_delta') deltas += event.delta
    if (type === 'text' && event.type === 'message_stop') whole += event.text
    if (type === 'thinking' && event.type === 'thinking_delta') deltas += event.delta
    if (type === 'thinking' && event.type === 'thinking_stop') whole += event.thinking
  }
  return { deltas, whole }
}

describe('what a recording reports is what its events report', () => {
  test.each(cases)('$name', async ({ agent, read }) => {
    const recording = read()
    const { events, result } = replayRecording(await loadAdapterFor(agent, {}), recording)
    const said = pieces(events, 'text')
    const thought = pieces(events, 'thinking')
    expect(said.deltas).toBe(said.whole)
    expect(thought.deltas).toBe(thought.whole)
    const ids = (types: readonly string[]) =>
      events.flatMap((event) => (types.includes(event.type) && 'toolCallId' in event ? [event.toolCallId] : []))
    expect(ids(['tool_result', 'tool_error']).sort()).toEqual(ids(['tool_call_start']).sort())

    const facts = rawFacts(agent, recording.stdout.toString('utf8'))
    if (facts === null) return
    expect(said.whole).toBe(facts.text)
    if (facts.thinking !== '') expect(thought.whole).toBe(facts.thinking)
    const failed = new Set(ids(['tool_error']))
    const started = new Set(ids(['tool_call_start']))
    for (const [id, error] of facts.tools) {
      expect(started).toContain(id)
      if (error !== null) expect([id, failed.has(id)]).toEqual([id, error])
    }
    const { options } = recording
    // A failure before the session began may have the id that it would have had.
    if (facts.sessionId !== null && result.turnCount > 0 && result.error?.code !== 'SESSION_NOT_FOUND')
      expect(result.sessionId).toBe(facts.sessionId)
    // A thread that was resumed reports only the sum of all its turns.
    if (facts.tokens !== null && !(agent === 'codex' && options.sessionId !== undefined)) {
      expect([result.tokenUsage?.inputTokens, result.tokenUsage?.outputTokens]).toEqual(facts.tokens)
    }
  })
})
