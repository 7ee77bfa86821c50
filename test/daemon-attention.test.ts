import { createHmac } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { buildPackage, DaemonHome, type DaemonPackage } from './support/daemons.ts'
import { isAlive } from './support/processes.ts'
import { until } from './support/until.ts'

let built: DaemonPackage
let daemon: DaemonHome

beforeAll(() => {
  built = buildPackage()
})
afterAll(() => built.remove())
beforeEach(() => {
  daemon = new DaemonHome(built, built.scenes)
})
afterEach(() => daemon.remove())

interface Delivery {
  kind: string
  body: string
  headers: IncomingHttpHeaders
}

/** A place that notifications are posted to; the first answer is a failure. */
async function webhook(): Promise<{ url: string; received: Delivery[]; refused: Delivery[] }> {
  const received: Delivery[] = []
  const refused: Delivery[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      const isTaken = refused.length > 0
      const delivery = { kind: JSON.parse(body).kind, body, headers: request.headers }
      if (isTaken) received.push(delivery)
      else refused.push(delivery)
      response.writeHead(isTaken ? 200 : 503).end()
    })
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await new Promise((resolve) => server.once('listening', resolve))
  const address = server.address()
  return { url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/`, received, refused }
}

describe('notifications', () => {
  test('reach a webhook, which may fail at first, and a program, without a shell', async () => {
    const { url, received } = await webhook()
    const out = join(daemon.home, 'notified')
    const script = join(daemon.home, 'notify.sh')
    writeFileSync(script, '#!/bin/sh\nprintf "%s|%s\\n" "$AMUX_NOTIFY_KIND" "$AMUX_NOTIFY_MESSAGE" >>"$1"\n', {
      mode: 0o755,
    })
    daemon.settings({ notify: { webhook: url, command: [script, out], on: ['finished', 'blocked'] } })
    await daemon.serve()
    const { id } = await daemon.spawn('say $(touch evil); done')
    await daemon.inState(id, 'idle')
    const asking = await daemon.spawn('question')
    await daemon.inState(asking.id, 'waiting_input')
    await until('the webhook', () => received.some(({ kind }) => kind === 'finished'))
    // The shell makes the file before it writes into it.
    await until('the program', () => existsSync(out) && readFileSync(out, 'utf8').endsWith('\n'))
    const lines = readFileSync(out, 'utf8').trim().split('\n')
    expect(lines).toEqual(['finished|You said: say $(touch evil); done'])
    expect(
      received.map(({ kind }) => kind),
      'not of what was not asked for',
    ).not.toContain('waiting')
    const told = await daemon.client.call('notifications')
    expect(told.map(({ kind }) => kind)).toEqual(['waiting', 'finished'])
  })

  test('are signed, with their time, and keep their name when they are sent again', async () => {
    const { url, received, refused } = await webhook()
    const webhookSecret = 'correct horse battery staple'
    daemon.settings({ notify: { webhook: url, webhookSecret } })
    await daemon.serve()
    const { id } = await daemon.spawn('say x')
    await daemon.inState(id, 'idle')
    const delivery = await until('the webhook', () => received[0])
    const [first] = refused
    expect(delivery.body).toBe(first?.body)
    expect(delivery.headers['amux-delivery']).toBe(first?.headers['amux-delivery'])
    for (const { body, headers } of [...refused, ...received]) {
      const timestamp = String(headers['amux-timestamp'])
      expect(Math.abs(Date.now() / 1000 - Number(timestamp))).toBeLessThan(60)
      const expected = createHmac('sha256', webhookSecret).update(`${timestamp}.${body}`).digest('hex')
      expect(headers['amux-signature']).toBe(`sha256=${expected}`)
    }
    const log = readFileSync(join(daemon.dataDir, 'daemon.log'), 'utf8')
    expect(log).not.toContain(webhookSecret)
  })

  test('of a program that does not end are given up, with all that it has started', async () => {
    const out = join(daemon.home, 'child')
    const script = join(daemon.home, 'notify.sh')
    writeFileSync(script, '#!/bin/sh\ntrap "" TERM\nsleep 300 &\necho $! >"$1"\nwait\nsleep 300\n', { mode: 0o755 })
    daemon.settings({ notify: { command: [script, out] } })
    await daemon.serve()
    const { id } = await daemon.spawn('say x')
    await daemon.inState(id, 'idle')
    const log = () => readFileSync(join(daemon.dataDir, 'daemon.log'), 'utf8')
    await until('the log', () => log().includes('took longer than 10 s'), 20_000)
    await until('nothing of it is left', () => !isAlive(Number(readFileSync(out, 'utf8'))))
  }, 60_000)

  test('that cannot be delivered disturb nothing', async () => {
    daemon.settings({ notify: { webhook: 'http://127.0.0.1:1/', command: ['/nowhere/at-all'] } })
    await daemon.serve()
    const { id } = await daemon.spawn('say x')
    await daemon.inState(id, 'idle')
    await until('the log', () => readFileSync(join(daemon.dataDir, 'daemon.log'), 'utf8').includes('could not notify'))
    expect((await daemon.client.call('health')).ok).toBe(true)
  })
})

describe('an agent at its limit', () => {
  test('waits with all its queue until the limit is over, and goes on by itself', async () => {
    await daemon.serve()
    const { id } = await daemon.spawn('limit 4')
    await daemon.session(id, 'the limit', ({ usage }) => usage.turns === 1)
    expect(await daemon.client.call('quota')).toMatchObject([
      { agent: 'claude', why: expect.stringContaining('limit') },
    ])
    const waiting = await daemon.spawn('say later')
    expect(waiting.activity).toMatchObject({ state: 'parked', why: expect.stringContaining('waits until') })
    await daemon.kill()
    await daemon.serve()
    expect(await daemon.inState(waiting.id, 'idle')).toMatchObject({ summary: 'You said: say later' })
    const onAgain = await daemon.session(
      id,
      'it goes on',
      ({ summary }) => summary?.startsWith('You said: Go on') ?? false,
    )
    expect(onAgain).toMatchObject({ isLive: true })
    const quota = await daemon.client.call('quota')
    expect(
      quota.map(({ parkedUntil }) => parkedUntil),
      'nobody is parked any more',
    ).toEqual([null])
  }, 60_000)

  test('goes on by itself also when it left with its limit', async () => {
    await daemon.serve()
    const { id } = await daemon.spawn('limiting 3')
    const onAgain = await daemon.session(id, 'it goes on', ({ launch, isLive }) => launch === 2 && isLive)
    expect(onAgain.outcome).toBeNull()
  }, 60_000)
})

test('what is parked is told on the command line, holds for its account alone, and goes on when somebody says so', async () => {
  await daemon.serve()
  const { id } = await daemon.spawn('limit 600')
  const limited = await daemon.session(id, 'the limit', ({ limit }) => limit?.until != null)
  expect(limited).toMatchObject({ isLive: true, attention: { kind: 'limited', until: limited.limit?.until } })
  const waiting = await daemon.spawn('say later')
  expect(waiting).toMatchObject({
    activity: { state: 'parked' },
    waiting: { for: 'limit', until: limited.limit?.until },
  })
  const other = await daemon.spawn('say at once', { environment: { ANTHROPIC_API_KEY: 'sk-another-key' } })
  expect(await daemon.inState(other.id, 'idle')).toMatchObject({ summary: 'You said: say at once' })
  await daemon.client.call('kill', { id })
  const shown = await daemon.amux('quota')
  expect(shown.stdout).toMatch(/claude +parked.*hit your limit/)
  expect(shown.stdout).not.toContain('sk-another-key')
  expect((await daemon.amux('unpark', 'claude')).stdout).toContain('claude goes on')
  expect(await daemon.inState(waiting.id, 'idle')).toMatchObject({ summary: 'You said: say later' })
  expect((await daemon.amux('unpark', '--all')).stdout).toContain('Nothing was parked')
}, 60_000)

test('a spent budget of the day ends what costs more, and refuses what would, until the next day', async () => {
  daemon.settings({ dailyBudgetUsd: 0.001, maxLive: 1 })
  await daemon.serve()
  const first = { key: 'first', prompt: 'slow' }
  const slow = await daemon.spawn(first.prompt, first)
  const queued = await daemon.spawn('say queued')
  await daemon.kill()
  daemon.settings({ dailyBudgetUsd: 0.001, maxLive: 3 })
  await daemon.serve()
  const ended = await daemon.session(queued.id, 'its end', ({ isLive }) => !isLive)
  expect(ended.outcome).toMatchObject({ kind: 'cancelled', evidence: expect.stringContaining('budget of the day') })
  await daemon.session(slow.id, 'the end of the other', ({ isLive }) => !isLive)
  const told = (await daemon.client.call('notifications')).filter(({ sessionId }) => sessionId === slow.id)
  expect(
    told.map(({ message }) => message),
    'why its turn has ended',
  ).toEqual([expect.stringContaining('the budget of the day')])
  const midnight = new Date(new Date().setHours(24, 0, 0, 0)).toISOString()
  const refused = {
    code: 'BUDGET_EXCEEDED',
    recoverable: true,
    message: expect.stringContaining('the budget of the day, $0.001, is spent'),
    hint: expect.stringContaining(`begins at ${midnight}`),
  }
  await expect(daemon.spawn('say more')).rejects.toMatchObject(refused)
  await expect(daemon.client.call('restore', { id: slow.id })).rejects.toMatchObject(refused)
  await expect(daemon.client.call('send', { id: slow.id, text: 'more' })).rejects.toMatchObject(refused)
  expect(await daemon.client.call('listSessions'), 'nothing was made').toHaveLength(2)
  expect((await daemon.spawn(first.prompt, first)).id, 'what was done is still told').toBe(slow.id)
  const { code, stderr } = await daemon.amux('spawn', 'claude', 'say', 'more')
  expect(code).not.toBe(0)
  expect(stderr).toMatch(/budget of the day.*config\.json.*begins at/s)
})

test('secrets in what is said are nowhere, on disk or on the wire, also when the agent has ended', async () => {
  const key = `sk-ant-${'a1B2c3D4'.repeat(5)}`
  const value = 'hunter2-very-secret'
  await daemon.serve()
  const { id } = await daemon.spawn(`say ${key} and ${value}`, {
    options: { env: { MY_TOKEN: value }, systemPrompt: `The key is ${key}` },
  })
  await daemon.session(id, 'the agent was given it whole', ({ summary }) => summary !== null)
  await daemon.client.call('send', { id, text: `say ${value} again` })
  await daemon.session(id, 'two turns', ({ usage }) => usage.turns === 2)
  await daemon.client.call('kill', { id })
  expect((await daemon.client.call('getSession', { id })).title).toBe('say [redacted] and [redacted]')
  const told = [
    await daemon.changes(id),
    await daemon.client.call('listRuns'),
    await daemon.client.call('listSessions'),
  ]
  const onDisk = readdirSync(daemon.dataDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => [join(parentPath, name), readFileSync(join(parentPath, name), 'latin1')] as const)
  for (const secret of [key, value]) {
    expect(JSON.stringify(told)).not.toContain(secret)
    expect(onDisk.filter(([, text]) => text.includes(secret)).map(([path]) => path)).toEqual([])
  }
})

test('a prompt with a secret in it that had no time to start is asked for again by the next daemon', async () => {
  daemon.settings({ maxLive: 1 })
  await daemon.serve()
  const first = await daemon.spawn('say 1')
  const { id } = await daemon.spawn(`say sk-ant-${'a1B2c3D4'.repeat(5)}`)
  await daemon.kill()
  await daemon.serve()
  await daemon.client.call('kill', { id: first.id })
  const { outcome } = await daemon.inState(id, 'exited')
  expect(JSON.stringify(outcome)).toContain('held a secret')
})
