import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseRecord } from '../../../core/json.ts'
import { openEnvelope } from '../../../engine/envelope.ts'
import { replay } from '../../../engine/replay.ts'
import { defineManifest } from '../../kit/define-manifest.ts'
import { acpAdapter } from './index.ts'
import type { AcpProfile } from './profile.ts'

// Real agents, both directions. Each is read twice: as it is, and as the agent's side alone.
interface Expected {
  profile?: Partial<AcpProfile>
  outcome: string
  text?: string
  turns: number
  /** Input, output and cached tokens. */
  usage?: [number, number, number]
  cost?: number
  denied?: number
  /** Where the agent's side alone says less. */
  alone?: Partial<Omit<Expected, 'profile' | 'alone'>>
}

const HELLO = 'Hello from the mock model.'
const RECORDINGS: Record<string, Expected> = {
  'copilot-main': {
    profile: { usageScope: 'process', errorText: [/^Error: /], noticeText: [/^Info: /] },
    ...{ outcome: 'auth_required', turns: 8, usage: [8000, 280, 4800], denied: 1, alone: { denied: 0 } },
  },
  // Its sixth turn never ended, because nobody answered a permission.
  'gemini-main': {
    profile: { noticeText: [/^\[MODE_UPDATE\]/] },
    ...{ outcome: 'auth_required', turns: 7, usage: [8000, 160, 0], denied: 1, alone: { denied: 0 } },
  },
  'gemini-load': { outcome: 'completed', text: HELLO, turns: 1, usage: [1000, 20, 0] },
  'grok-tool': { outcome: 'completed', text: HELLO, turns: 1, usage: [240, 30, 40] },
  'grok-401': { outcome: 'auth_required', turns: 1 },
  omp: { outcome: 'cancelled', turns: 2, usage: [200, 40, 20], cost: 0.000262 },
  opencode: { outcome: 'cancelled', turns: 2, usage: [100, 20, 10], cost: 0.000262 },
  openclaw: { outcome: 'cancelled', turns: 2 },
  'kimi-tool': { outcome: 'completed', text: HELLO, turns: 1 },
  'cline-auth': { outcome: 'auth_required', turns: 0 },
  'qwen-noauth': { outcome: 'auth_required', turns: 0 },
  'auggie-noauth': { outcome: 'auth_required', turns: 0 },
}

function agentSide(recording: string): string {
  return recording
    .split('\n')
    .flatMap((line) => {
      const envelope = openEnvelope(parseRecord(line) ?? {})
      return envelope?.from === 'agent' ? [JSON.stringify(envelope.message)] : []
    })
    .join('\n')
}

function manifestOf(name: string) {
  const auth = { envVars: [], files: [], providerName: '', documentationUrls: [] }
  return defineManifest({ agent: name, displayName: name, cliCommand: name, verification: 'unverified', auth })
}

describe.each(Object.entries(RECORDINGS))('%s', (name, { profile, alone, ...expected }) => {
  const manifest = manifestOf(name)
  const Adapter = acpAdapter(manifest, { args: [], ...profile })
  const whole = readFileSync(join(import.meta.dirname, 'fixtures', `${name}.jsonl`), 'utf8')

  test.each([
    ['both sides', whole, expected],
    ['the agent alone', agentSide(whole), { ...expected, ...alone }],
  ])('%s', (_, stdout, { outcome, text, turns, usage, cost, denied = 0 }) => {
    const recording = { stdout: Buffer.from(stdout) }
    const { result, events } = replay(new Adapter(), recording, { runId: '0'.repeat(26), now: () => 0 })
    expect(result.unrecognized).toEqual({})
    expect(result.outcome.kind).toBe(outcome)
    expect(result.turnCount).toBe(turns)
    if (text !== undefined) expect(result.text).toBe(text)
    const { inputTokens = 0, outputTokens = 0, cacheReadTokens = 0 } = result.tokenUsage ?? {}
    expect([inputTokens, outputTokens, cacheReadTokens]).toEqual(usage ?? [0, 0, 0])
    if (cost !== undefined) expect(result.cost?.totalUsd).toBeCloseTo(cost, 9)
    expect(events.filter(({ type }) => type === 'approval_denied')).toHaveLength(denied)
    const starts = events.filter(({ type }) => type === 'tool_call_start').length
    const ends = events.filter(({ type }) => type === 'tool_result' || type === 'tool_error').length
    expect(ends).toBe(starts)
  })
})

test('a shell is one in every dialect, with its command and its output', () => {
  for (const name of ['grok-tool', 'omp', 'opencode', 'openclaw', 'kimi-tool']) {
    const manifest = manifestOf(name)
    const recording = { stdout: readFileSync(join(import.meta.dirname, 'fixtures', `${name}.jsonl`)) }
    const adapter = new (acpAdapter(manifest, { args: [] }))()
    const { events } = replay(adapter, recording, { runId: '0'.repeat(26), now: () => 0 })
    const start = events.find((event) => event.type === 'shell_start')
    const output = events.find((event) => event.type === 'shell_stdout_delta')
    expect([name, start?.command, output?.delta.startsWith('hi')]).toEqual([name, 'echo hi', true])
    expect(events.find((event) => event.type === 'shell_exit')?.exitCode).toBe(0)
  }
})
