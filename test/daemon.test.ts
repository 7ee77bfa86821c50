import { execFileSync } from 'node:child_process'
import { existsSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Change } from '../src/client/index.ts'
import { daemonAddress } from '../src/daemon/address.ts'
import { buildPackage, countedIn, DaemonHome, type DaemonPackage, upTo } from './support/daemons.ts'
import { plainGit } from './support/git.ts'

let built: DaemonPackage
let daemon: DaemonHome

beforeAll(() => {
  built = buildPackage()
})
afterAll(() => built.remove())

beforeEach(async () => {
  daemon = new DaemonHome(built, built.scenes)
  await daemon.serve()
})
afterEach(() => daemon.remove())

function kinds(changes: readonly Change[]): string[] {
  return changes.flatMap((change) => (change.kind === 'notification' ? [change.notification.kind] : []))
}

describe('a managed session', () => {
  test('works, waits for more, and remembers what was said', async () => {
    const { id } = await daemon.spawn('say one', { name: 'mine' })
    const first = await daemon.inState(id, 'idle')
    expect(first).toMatchObject({
      ...{ name: 'mine', agent: 'claude', mode: 'headless', launch: 1, isLive: true, title: 'say one' },
      ...{ summary: 'You said: say one', agentSessionId: '565fa31e-b1db-443a-94a3-c9dbf5947026', pending: [] },
      workspace: { kind: 'directory', path: daemon.work },
      activity: { state: 'idle', source: 'protocol', launch: 1 },
    })
    expect(first.usage.costUsd).toBeGreaterThan(0)
    await daemon.client.call('send', { id: 'mine', text: 'say two' })
    const second = await daemon.session(id, 'the second turn', ({ usage }) => usage.turns === 2)
    expect(second.usage.costUsd).toBeGreaterThan(first.usage.costUsd ?? 0)
    const changes = await daemon.changes(id)
    const said = changes.flatMap((change) => (change.kind === 'message' ? [change.message.text] : []))
    expect(said).toEqual(['say one', 'say two'])
    expect(kinds(changes)).toEqual(['finished', 'finished'])
    const killed = await daemon.client.call('kill', { id })
    expect(killed).toMatchObject({ isLive: false, activity: { state: 'exited' }, outcome: { kind: 'cancelled' } })
    const { total, rows } = await daemon.client.call('usage', { by: 'model' })
    expect(total.costUsd).toBeCloseTo(second.usage.costUsd ?? 0, 6)
    expect(rows.map(({ key }) => key)).toEqual(['claude-opus-5-5'])
  })

  test('is blocked by a permission, and takes no message until it is decided', async () => {
    const { id } = await daemon.spawn('ask')
    const blocked = await daemon.inState(id, 'blocked')
    expect(blocked.pending).toMatchObject([{ id: 'ask-1', type: 'approval', description: 'touch made.txt' }])
    const error = await daemon.client.call('send', { id, text: 'yes' }).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ code: 'INVALID_STATE_TRANSITION', hint: expect.stringContaining('amux approve') })
    await daemon.client.call('answer', { id, interactionId: 'oldest', decision: 'approve' })
    expect(await daemon.inState(id, 'idle')).toMatchObject({ summary: 'File made.', pending: [] })
    expect(kinds(await daemon.changes(id))).toEqual(['blocked', 'finished'])
    const { evidence } = await daemon.client.call('activity', { id })
    expect(evidence).toMatchObject([{ state: 'idle', source: 'protocol' }, { state: 'spawning' }])
  })

  test('asks, and takes a message for the answer', async () => {
    const { id } = await daemon.spawn('question')
    const asking = await daemon.session(id, 'a question', ({ pending }) => pending.length > 0)
    expect(asking.activity.state).toBe('waiting_input')
    await daemon.client.call('send', { id, text: 'blue' })
    expect(await daemon.inState(id, 'idle')).toMatchObject({ summary: 'You chose blue.', pending: [] })
    expect(kinds(await daemon.changes(id))).toEqual(['waiting', 'finished'])
  })

  test('is followed by whoever says something, until that turn is over', async () => {
    const { id } = await daemon.spawn('say one')
    await daemon.inState(id, 'idle')
    const { code, stdout } = await daemon.amux('send', id, 'say two', '-f')
    expect(code).toBe(0)
    expect(stdout).toMatch(/› say two.*You said: say two/s)
    expect(stdout).not.toContain('say one')
    const kinds = (await daemon.changes(id)).map((change) =>
      change.kind === 'event' ? change.event.type : change.kind,
    )
    expect(kinds.lastIndexOf('message')).toBeLessThan(kinds.lastIndexOf('turn_start'))
  })

  test('says at once what came of a message that was sent before with the same key', async () => {
    const { id } = await daemon.spawn('say one')
    await daemon.inState(id, 'idle')
    const first = await daemon.amux('send', id, 'say two', '-f', '--key', 'k2')
    await daemon.amux('send', id, 'say three', '-f')
    await daemon.kill()
    await daemon.serve()
    const again = await daemon.amux('send', id, 'say two', '-f', '--key', 'k2')
    expect(again).toEqual(first)
    expect(again.stdout).toContain('You said: say two')
    expect((await daemon.client.call('getSession', { id })).usage.turns).toBe(3)
  })

  test('is interrupted, and goes on', async () => {
    const { id } = await daemon.spawn('slow')
    await daemon.session(id, 'work', ({ summary }) => summary === 'still here')
    const queued = await daemon.client.call('send', { id, text: 'say later' })
    expect(queued.activity.state).toBe('active')
    await expect(daemon.client.call('send', { id, text: 'x', when: 'now' })).rejects.toThrow('A turn is under way')
    await daemon.client.call('interrupt', { id })
    expect(await daemon.session(id, 'the queued one', ({ summary }) => summary === 'You said: say later'))
  })

  test('that cannot be is refused before anything exists', async () => {
    const refused = [
      daemon.spawn('x', { agent: 'nobody' }),
      daemon.spawn('x', { agent: 'codex' }),
      daemon.spawn('  '),
      daemon.spawn('x', { cwd: '/nowhere' }),
      daemon.spawn('x', { options: { model: '' } }),
      daemon.spawn('x', { worktree: {} }),
    ]
    const codes = await Promise.all(refused.map((one) => one.catch((reason: { code: string }) => reason.code)))
    expect(codes).toEqual([
      ...['UNKNOWN_AGENT', 'AGENT_NOT_INSTALLED', 'VALIDATION_ERROR', 'VALIDATION_ERROR', 'VALIDATION_ERROR'],
      'VALIDATION_ERROR',
    ])
    expect(await daemon.client.call('listSessions')).toEqual([])
  })

  test('names and beginnings of ids lead to it, and nothing leads to two', async () => {
    const { id } = await daemon.spawn('say x', { name: 'a-name' })
    await expect(daemon.spawn('say y', { name: 'a-name' })).rejects.toThrow('already')
    await expect(daemon.spawn('say y', { name: id })).rejects.toThrow('already')
    expect(await daemon.client.call('getSession', { id: id.slice(0, 4) })).toMatchObject({ id })
    await expect(daemon.client.call('removeSession', { id })).rejects.toThrow('running')
    await daemon.client.call('kill', { id })
    await daemon.client.call('removeSession', { id: 'a-name' })
    await expect(daemon.client.call('getSession', { id })).rejects.toThrow('no session')
    expect(existsSync(join(daemon.dataDir, 'launches', `${id}-1`))).toBe(false)
  })
})

describe('one request', () => {
  test('never makes two agents', async () => {
    const request = () => daemon.spawn('say x', { key: 'one' })
    const answers = Promise.all([request(), request(), request()])
    await expect(daemon.spawn('say z', { key: 'one' })).rejects.toThrow('used for another request')
    const sessions = await answers
    expect(new Set(sessions.map(({ id }) => id)).size).toBe(1)
    await daemon.kill()
    await daemon.serve()
    expect((await request()).id).toBe(sessions[0]?.id)
    expect(await daemon.client.call('listSessions')).toHaveLength(1)
    await expect(daemon.spawn('say y', { key: 'one' })).rejects.toThrow('used for another request')
  })

  test('never makes two turns', async () => {
    const { id } = await daemon.spawn('say x')
    await daemon.inState(id, 'idle')
    const request = () => daemon.client.call('send', { id, text: 'say y', key: 'two' })
    await Promise.all([request(), request()])
    await daemon.session(id, 'the second turn', ({ usage }) => usage.turns === 2)
    await request()
    await daemon.client.call('send', { id, text: 'say z', key: 'three' })
    await daemon.session(id, 'the third turn', ({ summary }) => summary === 'You said: say z')
    expect(await daemon.client.call('getSession', { id })).toMatchObject({ usage: { turns: 3 } })
  })
})

test('what was given in secret is asked for again by the next daemon', async () => {
  const { id } = await daemon.spawn('say one', { options: { env: { SOME_KEY: 'not-on-disk-4711' } } })
  await daemon.inState(id, 'idle')
  await daemon.client.call('kill', { id })
  await daemon.kill()
  await daemon.serve()
  // grep finds nothing, and says so by its exit code.
  expect(() => execFileSync('grep', ['-rlF', 'not-on-disk-4711', daemon.dataDir])).toThrow()
  const refused = await daemon.amux('restore', id, 'say two')
  expect(refused).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/started with env.*give it again with `amux restore say-one --env …`/s),
  })
  const restored = await daemon.amux('restore', id, 'say two', '--env', 'SOME_KEY=x')
  expect(restored).toMatchObject({ code: 0, stdout: expect.stringContaining('Restored (') })
  expect(await daemon.inState(id, 'idle')).toMatchObject({ launch: 2, summary: expect.stringContaining('say two') })
})

describe('a worktree of its own', () => {
  const git = (...args: string[]) => plainGit(daemon.work, ...args)

  test('is made, and its work survives the session', async () => {
    git('init', '-q')
    git('commit', '-q', '--allow-empty', '-m', 'first')
    const { id, workspace } = await daemon.spawn('say x', { worktree: {} })
    expect(workspace).toMatchObject({ kind: 'worktree', branch: `amux/${id}`, repository: daemon.work })
    writeFileSync(join(workspace.path, 'made'), 'by the agent\n')
    await daemon.inState(id, 'idle')
    await daemon.client.call('kill', { id })
    const { preserved } = await daemon.client.call('removeSession', { id })
    expect(git('show', `${preserved}:made`)).toBe('by the agent')
    expect(existsSync(workspace.path)).toBe(false)
  })
})

describe('more than there is room for', () => {
  test('waits in a queue, also for the next daemon', async () => {
    await daemon.stop()
    daemon.settings({ maxLive: 1 })
    await daemon.serve()
    const first = await daemon.spawn('say one')
    const second = await daemon.spawn('say two')
    expect(second.activity).toMatchObject({ state: 'queued', why: expect.stringContaining('1 of 1 sessions are live') })
    await expect(daemon.client.call('send', { id: second.id, text: 'x' })).rejects.toThrow('not started yet')
    const third = await daemon.spawn('say three')
    await daemon.client.call('kill', { id: third.id })
    await daemon.kill()
    await daemon.serve()
    await daemon.inState(first.id, 'idle')
    expect(await daemon.client.call('health')).toMatchObject({ live: 1, queued: 1 })
    await daemon.client.call('kill', { id: first.id })
    expect(await daemon.inState(second.id, 'idle')).toMatchObject({ summary: 'You said: say two' })
    expect(await daemon.client.call('getSession', { id: third.id })).toMatchObject({ outcome: { kind: 'cancelled' } })
  })
})

test('a value that is too large for its event has a preview there, and is whole in a file without its secrets', async () => {
  const key = `sk-ant-${'a1B2c3D4'.repeat(5)}`
  const words = 'words '.repeat(30_000)
  const { id } = await daemon.spawn(`say ${words} ${key} the end`)
  await daemon.inState(id, 'idle')
  const changes = await daemon.changes(id)
  const told = changes.find((change) => change.kind === 'event' && change.event.type === 'message_stop')
  if (told?.kind !== 'event' || told.event.type !== 'message_stop') throw new Error('nothing was said')
  expect(told.event.text.length).toBeLessThan(2000)
  expect(words.startsWith(told.event.text.slice('You said: say '.length))).toBe(true)
  const [blob] = told.blobs ?? []
  expect(blob).toMatchObject({ path: ['text'], file: expect.any(String), bytes: expect.any(Number) })
  const { url, token } = await daemonAddress(daemon.dataDir)
  const get = (path: string) => fetch(`${url}/api/v1${path}`, { headers: { authorization: `Bearer ${token}` } })
  const answer = await get(`/runs/${id}-1/blobs/${blob?.file}`)
  const text = await answer.text()
  expect(text).toBe(`You said: say ${words} [redacted] the end`)
  expect(Buffer.byteLength(text)).toBe(blob?.bytes)
  const path = join(daemon.dataDir, 'launches', `${id}-1`, 'blobs', blob?.file ?? '')
  expect(statSync(path).mode & 0o777).toBe(0o600)
  for (const file of ['..%2Frunner.json', '%2e%2e%2frunner.json', 'nothing.txt', '.', '..']) {
    expect((await get(`/runs/${id}-1/blobs/${file}`)).ok, file).toBe(false)
  }
})

test('the stream of changes tells it all, in order', async () => {
  const stop = new AbortController()
  const seen: Change[] = []
  const reading = (async () => {
    for await (const change of daemon.client.changes({ after: 0, signal: stop.signal })) seen.push(change)
  })()
  const ids = await Promise.all(['say a', 'say b', 'say c'].map(async (prompt) => (await daemon.spawn(prompt)).id))
  await Promise.all(ids.map((id) => daemon.inState(id, 'idle')))
  const { lastSeq } = await daemon.client.call('health')
  while ((seen.at(-1)?.seq ?? 0) < lastSeq) await new Promise((resolve) => setTimeout(resolve, 10))
  stop.abort()
  await reading
  expect(seen.map(({ seq }) => seq)).toEqual(upTo(lastSeq))
  for (const id of ids) {
    expect(seen.filter(({ sessionId }) => sessionId === id)).toEqual(
      (await daemon.changes(id)).map((change) => expect.objectContaining({ seq: change.seq, kind: change.kind })),
    )
  }
  expect(countedIn(seen)).toHaveLength(3)
})
