import { cpSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { spawn as spawnPty } from '@lydell/node-pty'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { liveRegistration } from '../src/daemon/registration.ts'
import { readToken } from '../src/daemon/token.ts'
import { connectRunner } from '../src/runner/control-client.ts'
import { buildPackage, DaemonHome, type DaemonPackage } from './support/daemons.ts'
import { until } from './support/until.ts'

let built: DaemonPackage
let daemon: DaemonHome
let screens: string

beforeAll(() => {
  built = buildPackage()
  screens = join(built.counting, '..', 'screens')
  mkdirSync(screens)
  cpSync(fileURLToPath(new URL('fixtures/tui', import.meta.url)), screens, { recursive: true })
})
afterAll(() => built.remove())

beforeEach(async () => {
  daemon = new DaemonHome(built, screens)
  await daemon.serve()
})
afterEach(() => daemon.remove())

const start = (prompt?: string) =>
  daemon.client.call('spawn', {
    agent: 'claude',
    cwd: daemon.work,
    mode: 'terminal',
    prompt,
    size: { cols: 90, rows: 20 },
  })

async function screenOf(id: string): Promise<string> {
  return (await daemon.client.call('screen', { id })).lines.join('\n')
}

async function socketTo(id: string, protocols?: string[], headers: Record<string, string> = {}): Promise<WebSocket> {
  const registration = await liveRegistration(daemon.dataDir)
  const url = `ws://127.0.0.1:${registration?.port}/api/v1/sessions/${id}/terminal`
  return new WebSocket(url, protocols, { headers })
}

describe('a session with a terminal', () => {
  test('tells by its hooks what it does, and takes messages as typed', async () => {
    const { id } = await start('say hello')
    const idle = await daemon.session(id, 'its first answer', ({ summary }) => summary === 'You said: say hello')
    expect(idle).toMatchObject({ mode: 'terminal', agentSessionId: 'tui-session', title: 'say hello' })
    await daemon.inState(id, 'idle')
    await daemon.client.call('send', { id, text: 'say more' })
    const more = await daemon.session(id, 'its second answer', ({ summary }) => summary === 'You said: say more')
    expect(more.activity.source).toBe('hook')
    expect(await screenOf(id)).toContain('You said: say more')
    expect(await screenOf(id)).toContain('size 90x20')
  })

  test('is followed by whoever says something, until its agent comes to rest', async () => {
    const { id } = await start('say hello')
    await daemon.inState(id, 'idle')
    for (const turn of ['first', 'again']) {
      const { code, stdout } = await daemon.amux('send', id, 'say more', '-f', '--key', 'k1')
      expect(code, turn).toBe(0)
      expect(stdout, turn).toContain('› say more')
    }
    expect(await screenOf(id)).toContain('You said: say more')
  })

  test('is blocked by a dialog, and nothing is typed into it', async () => {
    const { id } = await start('ask')
    await daemon.inState(id, 'blocked')
    await expect(daemon.client.call('send', { id, text: 'yes' })).rejects.toMatchObject({
      code: 'INVALID_STATE_TRANSITION',
      hint: expect.stringContaining('amux attach'),
    })
    expect(await screenOf(id)).not.toContain('answered')
    const changes = await daemon.changes(id)
    const kinds = changes.flatMap((change) => (change.kind === 'notification' ? [change.notification.kind] : []))
    expect(kinds).toContain('blocked')
  })

  test('asks for a permission, which is given by amux approve', async () => {
    const { id } = await start('ask')
    await daemon.inState(id, 'blocked')
    const withWords = await daemon.amux('deny', id, '--reason', 'Not here')
    expect(withWords.code).not.toBe(0)
    expect(withWords.stderr).toMatch(/In a terminal `deny` takes no text.*without it.*send/s)
    const approved = await daemon.amux('approve', id)
    expect(approved.stdout).toContain('Approved on its screen')
    await daemon.session(id, 'its answer', ({ summary }) => summary === 'answered 1')
    const again = await daemon.amux('deny', id)
    expect(again.stderr).toContain('No permission dialog is on its screen')
  })

  test('takes what is sent at once, although it is only starting', async () => {
    const { id } = await start()
    await daemon.client.call('send', { id, text: 'say early' })
    await daemon.session(id, 'its answer', ({ summary }) => summary === 'You said: say early')
  })

  test('hooks that came while no daemon was there are taken in by the next one', async () => {
    const { id } = await start('say one')
    await daemon.inState(id, 'idle')
    await daemon.kill()
    const runner = await connectRunner(join(daemon.dataDir, 'launches', `${id}-1`))
    await runner.request({ command: 'send', text: 'say two' })
    runner.close()
    await daemon.serve()
    await daemon.session(id, 'what was said meanwhile', ({ summary }) => summary === 'You said: say two')
  })

  test('ends when its program does', async () => {
    const { id } = await start('say x')
    await daemon.inState(id, 'idle')
    await daemon.client.call('send', { id, text: 'bye' }).catch(() => undefined) // it is gone before it shows that
    const ended = await daemon.session(id, 'its end', ({ isLive }) => !isLive)
    expect(ended.outcome).toEqual({ kind: 'completed' })
    expect(ended.activity.state).toBe('exited')
  })

  test('that fails says why in the last words of its screen', async () => {
    const { id } = await start('say x')
    await daemon.inState(id, 'idle')
    await daemon.client.call('send', { id, text: 'fail' }).catch(() => undefined) // as above
    const ended = await daemon.session(id, 'its end', ({ isLive }) => !isLive)
    expect(ended.outcome).toMatchObject({ kind: 'crashed', evidence: expect.stringContaining('no connection') })
    const again = await daemon.amux('attach', id, '--print')
    expect(again.stderr).toMatch(/Its agent has exited[\s\S]*amux restore/)
  })
})

test('a spent budget of the day ends terminals like all others, and they can be brought back', async () => {
  await daemon.kill()
  daemon.settings({ dailyBudgetUsd: 1 })
  await daemon.serve()
  const { id: other } = await start('say cheap')
  await daemon.inState(other, 'idle')
  const { id } = await start('spend')
  for (const one of [id, other]) {
    const ended = await daemon.session(one, 'its end', ({ isLive }) => !isLive)
    expect(ended.outcome).toMatchObject({ kind: 'cancelled', evidence: expect.stringContaining('budget of the day') })
  }
  const { usage } = await daemon.client.call('getSession', { id })
  expect(usage.costUsd).toBeGreaterThan(1)
  await expect(start('say more')).rejects.toMatchObject({ code: 'BUDGET_EXCEEDED' })
  await daemon.kill()
  daemon.settings({ dailyBudgetUsd: 100 })
  await daemon.serve()
  await daemon.client.call('restore', { id, prompt: 'say again' })
  const again = await daemon.session(id, 'its answer', ({ summary }) => summary === 'You said: say again')
  expect(again).toMatchObject({ isLive: true, launch: 2 })
})

describe('its screen over a WebSocket', () => {
  test('begins with what is there, for several viewers, and follows', async () => {
    const { id } = await start('say before')
    await daemon.inState(id, 'idle')
    const token = (await readToken(daemon.dataDir)) ?? ''
    const seen = ['', '']
    const types: string[] = []
    const sockets = await Promise.all([
      socketTo(id, undefined, { authorization: `Bearer ${token}` }),
      socketTo(id, ['amux.terminal', `amux.bearer.${token}`]),
    ])
    for (const [index, socket] of sockets.entries()) {
      socket.on('message', (data) => {
        const message = JSON.parse(String(data))
        if (index === 0) types.push(message.type)
        seen[index] += message.data ?? ''
      })
    }
    await until('both see what was there', () => seen.every((text) => text.includes('You said: say before')))
    expect(types[0]).toBe('snapshot')
    expect(sockets[1]?.protocol, 'the token is not sent back').toBe('amux.terminal')
    sockets[0]?.send(JSON.stringify({ type: 'resize', cols: 70, rows: 15 }))
    await until('both see the new size', () => seen.every((text) => text.includes('size 70x15')))
    sockets[1]?.send(JSON.stringify({ type: 'input', data: 'bye\r' }))
    await until('its end is told', () => types.includes('ended'))
  })

  test('is for those with the token and our origin, and for input that makes sense', async () => {
    const { id } = await start('say x')
    await daemon.inState(id, 'idle')
    const token = (await readToken(daemon.dataDir)) ?? ''
    const refused = async (socket: WebSocket) =>
      new Promise<number>((resolve) => {
        socket.on('error', () => {})
        socket.on('unexpected-response', (_, response) => resolve(response.statusCode ?? 0))
        socket.on('close', (code) => resolve(code))
      })
    const good = { authorization: `Bearer ${token}` }
    expect(await refused(await socketTo(id))).toBe(401)
    expect(await refused(await socketTo(id, ['amux.terminal', 'amux.bearer.wrong']))).toBe(401)
    expect(await refused(await socketTo(id, undefined, { ...good, origin: 'http://evil.example' }))).toBe(403)
    expect(await refused(await socketTo('nobody', undefined, good))).toBe(404)
    const odd = await socketTo(id, undefined, good)
    odd.on('open', () => odd.send('{"type":"resize","cols":0,"rows":1e9}'))
    expect(await refused(odd)).toBe(1007)
    const large = await socketTo(id, undefined, good)
    large.on('open', () => large.send(JSON.stringify({ type: 'input', data: 'x'.repeat(2 ** 21) })))
    expect(await refused(large)).toBe(1009)
  })
})

function attachIn(id: string) {
  let shown = ''
  const env = Object.fromEntries(Object.entries(daemon.env).flatMap(([name, value]) => (value ? [[name, value]] : [])))
  const size = { cols: 77, rows: 18, cwd: daemon.work, env }
  const terminal = spawnPty(process.execPath, [built.cli, 'attach', id], size)
  const exited = new Promise<number>((resolve) => terminal.onExit(({ exitCode }) => resolve(exitCode)))
  terminal.onData((data) => {
    shown += data
  })
  return { terminal, exited, shown: () => shown }
}

test('amux attach shows it, types into it, and leaves it alone again', async () => {
  const { id } = await start('say before')
  await daemon.inState(id, 'idle')
  const { terminal, exited, shown } = attachIn(id)
  await until('the screen', () => shown().includes('size 77x18') && shown().includes('You said: say before'))
  terminal.write('say typed')
  await until('what is typed', () => shown().includes('❯ say typed'))
  terminal.write('\r')
  await daemon.session(id, 'the answer', ({ summary }) => summary === 'You said: say typed')
  terminal.write('\x1c')
  expect(await exited).toBe(0)
  expect(shown()).toContain('Detached')
  expect(await daemon.client.call('getSession', { id })).toMatchObject({ isLive: true })
  const printed = await daemon.amux('attach', id, '--print')
  expect(printed.stdout).toContain('You said: say typed')
})

test.each(['SIGTERM', 'SIGHUP'])('amux attach leaves the terminal as it was when it is ended by %s', async (signal) => {
  const { id } = await start('say before')
  await daemon.inState(id, 'idle')
  const { terminal, exited, shown } = attachIn(id)
  await until('the screen', () => shown().includes('You said: say before'))
  terminal.kill(signal)
  expect(await exited).toBe(0)
  const [entered, left] = ['\x1b[?1049h', '\x1b[?1049l'].map((sequence) => shown().lastIndexOf(sequence))
  expect(entered).toBeGreaterThanOrEqual(0)
  expect(left).toBeGreaterThan(entered ?? 0)
  expect(await daemon.client.call('getSession', { id })).toMatchObject({ isLive: true })
})
