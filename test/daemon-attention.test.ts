import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { buildPackage, DaemonHome, type DaemonPackage } from './support/daemons.ts'
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

/** A place that notifications are posted to; the first answer is a failure. */
async function webhook(): Promise<{ url: string; received: { kind: string }[] }> {
  const received: { kind: string }[] = []
  let requests = 0
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      requests += 1
      if (requests > 1) received.push(JSON.parse(body))
      response.writeHead(requests > 1 ? 200 : 503).end()
    })
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await new Promise((resolve) => server.once('listening', resolve))
  const address = server.address()
  return { url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/`, received }
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
    await until('the webhook', () => received.some(({ kind }) => kind === 'finished'), 15_000)
    const lines = await until('the program', () => {
      try {
        return readFileSync(out, 'utf8').trim().split('\n')
      } catch {
        return null
      }
    })
    expect(lines).toEqual(['finished|You said: say $(touch evil); done'])
    expect(
      received.map(({ kind }) => kind),
      'not of what was not asked for',
    ).not.toContain('waiting')
    const told = await daemon.client.call('notifications')
    expect(told.map(({ kind }) => kind)).toEqual(['waiting', 'finished'])
  })

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
    expect(waiting.activity).toMatchObject({ state: 'spawning', why: expect.stringContaining('waits until') })
    await daemon.kill()
    await daemon.serve()
    expect(await daemon.inState(waiting.id, 'idle')).toMatchObject({ summary: 'You said: say later' })
    const onAgain = await daemon.session(
      id,
      'it goes on',
      ({ summary }) => summary?.startsWith('You said: Go on') ?? false,
    )
    expect(onAgain).toMatchObject({ isLive: true })
    expect(await daemon.client.call('quota')).toEqual([])
  }, 60_000)
})

test('a spent budget of the day ends what costs more, and lets nothing new begin', async () => {
  daemon.settings({ dailyBudgetUsd: 0.001 })
  await daemon.serve()
  const { id } = await daemon.spawn('say expensive')
  const ended = await daemon.session(id, 'its end', ({ isLive }) => !isLive)
  expect(ended.outcome).toMatchObject({ kind: 'cancelled', evidence: expect.stringContaining('budget of the day') })
  const next = await daemon.spawn('say more')
  expect(next.activity).toMatchObject({ state: 'spawning', why: expect.stringContaining('budget of the day') })
})

test('secrets in what is said are not in the log of changes', async () => {
  const key = `sk-ant-${'a1B2c3D4'.repeat(5)}`
  await daemon.serve()
  const { id } = await daemon.spawn(`tool ${key}`, { options: { env: { MY_TOKEN: 'hunter2-very-secret' } } })
  await daemon.inState(id, 'idle')
  const text = JSON.stringify(await daemon.changes(id))
  expect(text).not.toContain(key)
  expect(text).not.toContain('hunter2')
  expect((await daemon.client.call('getSession', { id })).title).toBe('tool [redacted]')
  const onDisk = ['daemon.db', 'daemon.db-wal', 'daemon.log'].map((name) =>
    readFileSync(join(daemon.dataDir, name), 'latin1'),
  )
  expect(onDisk.join('')).not.toContain(key)
  expect(onDisk.join('')).not.toContain('hunter2')
})
