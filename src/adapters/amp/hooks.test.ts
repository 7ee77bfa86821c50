import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, expect, test, vi } from 'vitest'
import { hooks } from './hooks.ts'

afterEach(() => vi.unstubAllEnvs())

type Handler = (event: unknown) => unknown

/** Loads the plugin as Amp would, for a version that does not know one of the events. */
async function load(dataDir: string): Promise<Map<string, Handler>> {
  const context = { homeDir: '/h', env: {}, workspace: '/w', callback: '/d/amux-hook', dataDir }
  const [file] = hooks.plan(context).user?.files ?? []
  if (file?.kind !== 'own') throw new Error('no plugin')
  const path = join(dataDir, 'plugin.mjs')
  writeFileSync(path, file.content)
  const { default: plugin } = await import(pathToFileURL(path).href)
  const handlers = new Map<string, Handler>()
  plugin({
    on(name: string, handler: Handler) {
      if (name === 'session.start') throw new Error('no such event')
      handlers.set(name, handler)
    },
  })
  return handlers
}

test('the plugin delivers what is read, and decides nothing', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'amp-'))
  vi.stubEnv('AMUX_SESSION_ID', 's1')
  vi.stubEnv('AMUX_LAUNCH', '1')
  vi.stubEnv('AGENT_MUX_DATA_DIR', dataDir)
  const handlers = await load(dataDir)
  expect([...handlers.keys()]).toEqual(['agent.start', 'tool.result', 'agent.end'])
  const thread = { id: 'T-1' }
  const messages = [{ role: 'assistant', content: [{ type: 'text', text: 'Done.' }] }]
  expect(handlers.get('agent.start')?.({ thread, message: 'Do it' })).toBeUndefined()
  handlers.get('agent.end')?.({ thread, status: 'done', messages })
  handlers.get('agent.end')?.(undefined)
  const reported = readdirSync(join(dataDir, 'spool'))
    .sort()
    .map((name) => readFileSync(join(dataDir, 'spool', name), 'utf8').split('\n'))
    .map(([header = '', payload = '']) => hooks.read(header.split(' ')[3] ?? '', JSON.parse(payload)))
  expect(reported).toMatchObject([
    { evidence: { state: 'active' }, metadata: { agentSessionId: 'T-1', title: 'Do it' } },
    { evidence: { state: 'idle' }, metadata: { agentSessionId: 'T-1', summary: 'Done.' } },
    { evidence: { state: 'idle' }, metadata: {} },
  ])
  expect(hooks.read('agent.end', { status: 'error' })?.evidence).toMatchObject({ ended: 'failed' })
})
