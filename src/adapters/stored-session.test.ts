import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { AmpAdapter } from './amp/index.ts'
import { ClaudeAdapter } from './claude/index.ts'
import { ClineAdapter } from './cline/index.ts'

let home = ''
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'amux-stored-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const ID = '11111111-2222-4333-8444-555555555555'
const host = () => ({ env: { HOME: home }, homeDir: home })

function writeClaude(lines: readonly object[]): void {
  const file = join(home, '.claude/projects/-work', `${ID}.jsonl`)
  mkdirSync(dirname(file), { recursive: true })
  const record = { sessionId: ID, cwd: '/work', timestamp: '2026-01-01T00:00:00Z', uuid: 'u', version: '2.1.0' }
  writeFileSync(file, lines.map((line) => `${JSON.stringify({ ...record, ...line })}\n`).join(''))
}

const PROMPT = { type: 'user', message: { role: 'user', content: 'do it' } }
const ANSWER = { type: 'assistant', message: { id: 'm', role: 'assistant', content: [{ type: 'text', text: 'done' }] } }

test('a session that is in the store is resumed; one that is gone is not', async () => {
  writeClaude([PROMPT, ANSWER])
  const claude = new ClaudeAdapter(host())
  expect(await claude.planRestore({ sessionId: ID })).toEqual({ kind: 'native', sessionId: ID, probed: true })
  expect(await claude.planRestore({ sessionId: 'gone' })).toMatchObject({ kind: 'fresh' })
})

test('where the store is not known, the CLI is trusted, and that is said', async () => {
  const amp = new AmpAdapter(host())
  expect(await amp.planRestore({ sessionId: 'T-1' })).toEqual({ kind: 'native', sessionId: 'T-1', probed: false })
})

test('a CLI that cannot resume has its conversation replayed, where it can be read', async () => {
  const cline = new ClineAdapter(host())
  expect(await cline.planRestore({ sessionId: 'none' })).toMatchObject({ kind: 'impossible' })
  const samples = join(import.meta.dirname, 'cline/fixtures/sessions')
  cpSync(samples, join(home, '.cline/data/sessions'), { recursive: true })
  const [first = ''] = await cline.listSessionFiles()
  expect(readdirSync(samples).length).toBeGreaterThan(0)
  const { sessionId } = await cline.parseSessionFile(first)
  expect(await cline.planRestore({ sessionId })).toMatchObject({ kind: 'replay', sessionId })
})

test('the transcript shows whether it works or has answered', async () => {
  const claude = new ClaudeAdapter(host())
  expect(await claude.getActivityState({ sessionId: ID })).toBeNull()
  writeClaude([PROMPT])
  const stale = await claude.getActivityState({ sessionId: ID })
  expect(stale).toMatchObject({ state: 'unknown', source: 'transcript' })
  expect(await claude.getActivityState({ sessionId: ID }, Number.MAX_SAFE_INTEGER)).toMatchObject({ state: 'active' })
  writeClaude([PROMPT, ANSWER])
  expect(await claude.getActivityState({ sessionId: ID })).toMatchObject({ state: 'idle', source: 'transcript' })
})
