import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { daemonAddress } from '../src/daemon/address.ts'
import { callbackPath, ensureCallback } from '../src/hooks/callback.ts'
import { buildPackage, DaemonHome, type DaemonPackage } from './support/daemons.ts'
import { ENCODINGS, leaksIn, type Planted, plantedSecrets, randomTexts } from './support/planted-secrets.ts'
import { until } from './support/until.ts'

const SEED = Number(process.env.SECRETS_SEED ?? 20261116)
const SECRETS = plantedSecrets(SEED)
const random = randomTexts(SEED + 1)

let built: DaemonPackage
let daemon: DaemonHome

beforeAll(async () => {
  built = buildPackage()
  const agents = join(dirname(built.scenes), 'scene')
  mkdirSync(agents)
  cpSync(fileURLToPath(new URL('programs/scene-claude.cjs', import.meta.url)), join(agents, 'claude'))
  chmodSync(join(agents, 'claude'), 0o755)
  daemon = new DaemonHome(built, agents)
  await daemon.serve()
  await ensureCallback(daemon.dataDir)
})
afterAll(async () => {
  await daemon.remove()
  built.remove()
})

const IDS = { session_id: '565fa31e-b1db-443a-94a3-c9dbf5947026', uuid: 'u', parent_tool_use_id: null }
const line = (record: object) => `${JSON.stringify({ ...record, ...IDS })}\n`
const streamed = (event: object) => line({ type: 'stream_event', event })
const message = (content: object[]) =>
  line({ type: 'assistant', message: { id: 'm', type: 'message', role: 'assistant', model: 'm', content, usage: {} } })

/** The text in pieces of one to nine characters. */
function pieces(text: string): string[] {
  const all: string[] = []
  for (let at = 0; at < text.length; at += all.at(-1)?.length ?? 1) all.push(text.slice(at, at + 1 + random.below(9)))
  return all
}

function deltas(texts: readonly string[], type: 'text' | 'thinking'): string[] {
  const block = type === 'text' ? { type, text: '' } : { type, thinking: '' }
  return [
    streamed({ type: 'content_block_start', index: 0, content_block: block }),
    ...texts.flatMap((text) =>
      pieces(text).map((piece) =>
        streamed({ type: 'content_block_delta', index: 0, delta: { type: `${type}_delta`, [type]: piece } }),
      ),
    ),
    streamed({ type: 'content_block_stop', index: 0 }),
  ]
}

const everyWay = (text: string) => Object.values(ENCODINGS).map((encode) => encode(text))

/** Others for each secret, since letter by letter all of them would take long. */
const twoWays = (text: string, index: number) => everyWay(text).filter((_, way) => way % 5 === index % 5)

/** All secrets in all that an agent can say. */
function scene(secrets: readonly Planted[]): { stdout: string[]; stderr: string[] } {
  const texts = secrets.map(({ text }) => text)
  const tools = secrets.flatMap(({ text }, index) => {
    const id = `toolu_${index}`
    const content = [{ tool_use_id: id, type: 'tool_result', content: everyWay(text).join('\n\n'), is_error: false }]
    const input = { command: `echo start\n${text}`, description: everyWay(text).join(' ') }
    return [
      message([{ type: 'tool_use', id, name: 'Bash', input }]),
      line({ type: 'user', message: { role: 'user', content } }),
    ]
  })
  const said = [
    line({ type: 'system', subtype: 'init', cwd: '/w', tools: [], mcp_servers: [], model: 'm' }),
    streamed({ type: 'message_start', message: { id: 'm', role: 'assistant', model: 'm', content: [], usage: {} } }),
    ...deltas(
      texts.map((text) => `Here it is:\n${text}\nand more. `),
      'thinking',
    ),
    ...deltas(
      texts.flatMap((text, index) => twoWays(text, index).map((one) => `Look:\n${one}\nso it is. `)),
      'text',
    ),
    streamed({ type: 'message_stop' }),
    message([{ type: 'thinking', thinking: texts.join('\n'), signature: '' }]),
    message([{ type: 'text', text: texts.flatMap(everyWay).join('\n') }]),
    ...tools,
    `not JSON at all: ${texts.join(' ').replaceAll('\n', ' ')}\n`,
    ...texts.map((text) => `${text}\n`),
    line({
      type: 'result',
      subtype: 'success',
      is_error: true,
      api_error_status: 500,
      result: texts.join('\n'),
      usage: {},
    }),
  ].join('')
  // Chunks that part characters, lines and secrets wherever they like.
  const chunks: string[] = []
  for (let at = 0; at < said.length; at += chunks.at(-1)?.length ?? 1)
    chunks.push(said.slice(at, at + 1 + random.below(6000)))
  const complaints = texts.flatMap((text) => [`${text}\n`, ...everyWay(text).map((one) => `error:\n${one}\n`)]).join('')
  return { stdout: chunks, stderr: complaints.match(/[\s\S]{1,700}/g) ?? [] }
}

const variables = Object.fromEntries(SECRETS.flatMap(({ variable, text }) => (variable ? [[variable, text]] : [])))

function filesBelow(directory: string): string[] {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .map((name) => join(directory, name))
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile())
}

/** What of the secrets is in the files of agent-mux, by file. */
function leaksOnDisk(): string[] {
  return filesBelow(daemon.dataDir).flatMap((path) =>
    leaksIn(readFileSync(path, 'latin1'), SECRETS).map((leak) => `${path.slice(daemon.dataDir.length)}: ${leak}`),
  )
}

function deliver(id: string, payload: object): void {
  const script = callbackPath(daemon.dataDir)
  const env = { ...daemon.env, AMUX_SESSION_ID: id, AMUX_LAUNCH: '1' }
  const { status } = spawnSync(script, ['claude', 'UserPromptSubmit'], { env, input: JSON.stringify(payload) })
  expect(status).toBe(0)
}

const hook = () => ({
  ...{ session_id: IDS.session_id, hook_event_name: 'UserPromptSubmit', cwd: '/w' },
  prompt: SECRETS.map(({ text }) => `- \n${text}`).join('\n'),
  nested: SECRETS.flatMap(({ text }) => everyWay(text)),
})

describe('26 secrets in all places, pieces and encodings', () => {
  test('are in no file and in no answer', { timeout: 60_000 }, async () => {
    expect(SECRETS).toHaveLength(26)
    writeFileSync(join(daemon.work, 'scene.json'), JSON.stringify(scene(SECRETS)))
    const prompt = SECRETS.map(({ text }) => text).join('\n')
    const { id } = await daemon.spawn(prompt, { options: { env: variables } })
    deliver(id, hook())
    await daemon.session(
      id,
      'its turn has ended',
      ({ activity, turn }) => activity.state === 'idle' && turn?.endedAt != null,
      40_000,
    )
    const answers: Record<string, string> = {}
    for (const path of ['sessions', `sessions/${id}`, `sessions/${id}/events?limit=1000`, 'notifications']) {
      const { url, token } = await address()
      const response = await fetch(`${url}/api/v1/${path}`, {
        headers: { authorization: `Bearer ${token}` },
        signal: AbortSignal.timeout(5000),
      })
      expect(response.ok, path).toBe(true)
      answers[path] = await response.text()
    }
    const changes = await daemon.changes(id)
    expect(changes.length).toBeGreaterThan(100)
    answers.changes = JSON.stringify(changes)
    for (const type of ['text_delta', 'thinking_delta']) {
      answers[type] = changes
        .map((one) => (one.kind === 'event' && one.event.type === type && 'delta' in one.event ? one.event.delta : ''))
        .join('')
      expect(answers[type]).toContain('[redacted]')
    }
    for (const args of [['ls'], ['show', id], ['logs', id], ['logs', id, '--json'], ['ls', '--json']]) {
      const { stdout, stderr } = await daemon.amux(...args)
      answers[`amux ${args.join(' ')}`] = stdout + stderr
    }
    const found = Object.entries(answers).flatMap(([name, text]) =>
      leaksIn(text, SECRETS).map((leak) => `${name}: ${leak}`),
    )
    expect([...new Set(found)]).toEqual([])
    await until('the hooks were taken', () =>
      readdirSync(join(daemon.dataDir, 'spool')).every((name) => !name.endsWith('.hook')),
    )
    expect([...new Set(leaksOnDisk())]).toEqual([])
  })

  test.each([90, 30])(
    'are not seen on a terminal of %i columns, nor kept when its runner is killed',
    { timeout: 60_000 },
    async (cols) => {
      const shown = SECRETS.flatMap(({ text }) => everyWay(text)).map((one) => `${one}\n`.replaceAll('\n', '\r\n'))
      const chunks = shown.join('').match(/[\s\S]{1,97}/g)
      writeFileSync(
        join(daemon.work, 'scene.json'),
        JSON.stringify({ stdout: [...(chunks ?? []), 'THE END'], stderr: [] }),
      )
      const size = { cols, rows: 50 }
      const options = { env: variables }
      const { id } = await daemon.client.call('spawn', {
        ...{ agent: 'claude', cwd: daemon.work, mode: 'terminal', size, options },
      })
      const screen = async () => (await daemon.client.call('screen', { id })).lines.join('\n')
      await until('all is shown', async () => (await screen()).includes('THE END'), 30_000)
      const answers = [await screen(), JSON.stringify(await daemon.changes(id))]
      for (const args of [
        ['show', id],
        ['logs', id],
        ['logs', id, '--json'],
      ]) {
        const { stdout, stderr } = await daemon.amux(...args)
        answers.push(stdout + stderr)
      }
      expect([...new Set(answers.flatMap((text) => leaksIn(text, SECRETS)))]).toEqual([])
      expect([...new Set(leaksOnDisk())]).toEqual([])
      process.kill(daemon.runnerInfo(`${id}-1`).runner.pid, 'SIGKILL')
      await daemon.amux('kill', id)
      expect([...new Set(leaksOnDisk())]).toEqual([])
    },
  )

  test('are refused as the name of a session', async () => {
    const [secret] = SECRETS
    await expect(daemon.spawn('hello', { name: `my-${secret?.text}` })).rejects.toThrow(/holds a secret/)
    expect([...new Set(leaksOnDisk())]).toEqual([])
  })
})

async function address() {
  const found = await daemonAddress(daemon.dataDir)
  if (!found) throw new Error('No daemon')
  return found
}
