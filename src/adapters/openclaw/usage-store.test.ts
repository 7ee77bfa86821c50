import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryDirectory } from '../../../test/support/client.ts'
import { quoteWord } from '../../core/command-line.ts'
import { createClientIn } from '../../mux/client.ts'

const SQLITE = import.meta.resolve('@photostructure/sqlite')

/** As 2026.9 does it: two requests in the database of its state directory, a line in its log, and then a long command. */
const PROGRAM = `
import { mkdirSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from ${JSON.stringify(SQLITE)}
if (process.argv.includes('--version')) { console.log('OpenClaw 2026.9.6 (eb377ac)'); process.exit() }
const state = process.argv.find((arg) => arg.startsWith('--state-dir=')).slice('--state-dir='.length)
writeFileSync(process.env.TOLD, state)
const folder = state + '/agents/mine/agent'
mkdirSync(folder, { recursive: true })
const database = new DatabaseSync(folder + '/openclaw-agent.sqlite')
database.exec('PRAGMA journal_mode = WAL')
database.exec('CREATE TABLE transcript_events (session_id TEXT, seq INTEGER, event_json TEXT, created_at INTEGER)')
const timestamp = new Date().toISOString()
const answer = (id, input) => ({ type: 'message', id, timestamp, message: {
  role: 'assistant', content: [], model: 'gpt-5.5', provider: 'agent-mux', timestamp: Date.now(),
  usage: { input, output: 10, cacheRead: 5, cacheWrite: 0 },
} })
const events = [{ type: 'session', version: 4, id: 's1', timestamp, cwd: process.cwd() }, answer('a', 100), answer('b', 200)]
for (const [seq, event] of events.entries())
  database.prepare('INSERT INTO transcript_events VALUES (?, ?, ?, ?)').run('s1', seq, JSON.stringify(event), Date.now())
console.error('embedded run start: runId=r sessionId=s1 provider=agent-mux model=gpt-5.5')
console.error('embedded run tool start: runId=r tool=exec toolCallId=c1')
const command = setInterval(() => {}, 1000)
process.on('SIGTERM', () => {
  database.prepare('INSERT INTO transcript_events VALUES (?, ?, ?, ?)').run('s1', 9, JSON.stringify(answer('c', 400)), Date.now())
  clearInterval(command)
})
`

test.each([{}, { noSession: true }])(
  'what an aborted turn has used is known, and its state is removed: %j',
  async (more) => {
    const home = temporaryDirectory()
    mkdirSync(join(home, 'bin'))
    writeFileSync(join(home, 'openclaw.mjs'), PROGRAM)
    const start = `#!/bin/sh\nexec ${quoteWord(process.execPath)} ${quoteWord(join(home, 'openclaw.mjs'))} "$@"\n`
    writeFileSync(join(home, 'bin/openclaw'), start, { mode: 0o755 })
    const told = join(home, 'told')
    const env = { HOME: home, PATH: `${join(home, 'bin')}${delimiter}${process.env.PATH}` }
    const client = createClientIn(env, { configDir: join(home, 'config'), projectConfigDir: join(home, 'project') })
    const endpoint = { baseUrl: 'http://127.0.0.1:1/v1', apiKey: 'k' }
    const options = {
      agent: 'openclaw',
      prompt: 'x',
      cwd: home,
      model: 'gpt-5.5',
      endpoint,
      env: { TOLD: told },
    } as const
    const handle = client.run({ ...options, ...more })
    for await (const event of handle) if (event.type === 'tool_call_start') void handle.abort()
    const { outcome, tokenUsage } = await handle
    expect(outcome.kind).toBe('cancelled')
    // The last one was written down while the agent was ended.
    expect(tokenUsage).toMatchObject({ inputTokens: 715, outputTokens: 30, cacheReadTokens: 15 })
    expect(existsSync(readFileSync(told, 'utf8'))).toBe(false)
  },
)
