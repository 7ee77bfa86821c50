import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { buildPackage, DaemonHome, type DaemonPackage } from './support/daemons.ts'

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

const ENDPOINT = { baseUrl: 'http://127.0.0.1:9', apiKey: 'key-of-nobody-0123456789', protocol: 'anthropic' } as const

const kinds = async () => (await daemon.client.call('notifications')).map(({ kind }) => kind).toReversed()

describe('a session that a limit has stopped and that cannot be resumed', () => {
  test('says so at once, and how to continue it, on the command line, in the API and in a notification', async () => {
    await daemon.serve()
    const { id } = await daemon.spawn('leaving 2', { name: 'gone' })
    const needs = expect.stringMatching(/does not continue by itself, because .*`amux restore gone`/)
    const left = await daemon.session(id, 'that it says so', ({ limit }) => limit?.needs !== undefined)
    expect(left).toMatchObject({
      isLive: false,
      limit: { needs, until: expect.any(Number) },
      attention: { kind: 'limited', message: needs },
      activity: { why: needs },
    })
    expect(await kinds()).toEqual(['limited', 'waiting'])
    await daemon.session(id, 'the end of the limit', ({ limit }) => (limit?.until ?? 0) < Date.now())
    const { stdout } = await daemon.amux('ls')
    expect(stdout).toMatch(/gone +claude +limit over .*does not continue by itself/)
    expect(stdout).not.toContain('limited until')
    expect((await daemon.amux('show', 'gone')).stdout).toContain('amux restore gone')
    await daemon.kill()
    await daemon.serve()
    expect(await daemon.client.call('getSession', { id }), 'also after a restart').toMatchObject({ limit: { needs } })
    expect(await kinds(), 'which notifies nobody again').toEqual(['limited', 'waiting'])
    const { plan } = await daemon.client.call('restore', { id, prompt: 'say hello' })
    expect(plan.kind).toBe('fresh')
    expect(await daemon.inState(id, 'idle')).toMatchObject({ limit: null, summary: 'You said: say hello' })
  }, 60_000)

  test('says the same where the user has turned `resumeAfterLimit` off', async () => {
    daemon.settings({ resumeAfterLimit: false })
    await daemon.serve()
    const { id } = await daemon.spawn('limit 1', { name: 'stays' })
    const needs = expect.stringMatching(/`resumeAfterLimit` is off.*`amux send stays`/)
    await daemon.session(id, 'that it says so', ({ limit }) => limit?.needs !== undefined)
    expect(await daemon.client.call('getSession', { id })).toMatchObject({ isLive: true, limit: { needs } })
    await daemon.client.call('kill', { id })
    expect(await kinds()).toEqual(['limited'])
  })
})

test('a limit that stays costs few requests and one notification', async () => {
  await daemon.serve()
  const { id } = await daemon.spawn('stubborn', { options: { env: { STUBBORN: '1' } } })
  const again = await daemon.session(id, 'that it waits longer', ({ usage, limit }) => {
    return usage.turns === 2 && limit?.until != null && limit.until > Date.now() + 20_000
  })
  expect(again).toMatchObject({ isLive: true, attention: { kind: 'limited', until: again.limit?.until } })
  const [parked] = await daemon.client.call('quota')
  expect(parked?.parkedUntil, 'new sessions wait as long').toBe(again.limit?.until)
  expect(await kinds()).toEqual(['limited'])
  await daemon.kill()
  await daemon.serve()
  expect((await daemon.client.call('getSession', { id })).limit?.until, 'also after a restart').toBe(again.limit?.until)
  // Somebody who asks again wants to know.
  await daemon.client.call('send', { id, text: 'stubborn' })
  await daemon.session(id, 'the third turn', ({ usage }) => usage.turns >= 3)
  expect(await kinds()).toEqual(['limited', 'limited'])
}, 60_000)

test('what was parked with hidden values says at once after a restart that it cannot start, and how to continue', async () => {
  await daemon.serve()
  const { id: first } = await daemon.spawn('limit 600', { options: { endpoint: ENDPOINT } })
  await daemon.session(first, 'the limit', ({ limit }) => limit?.until != null)
  const { id } = await daemon.spawn('say later', { name: 'later', options: { endpoint: ENDPOINT, env: { A: 'b' } } })
  await daemon.inState(id, 'parked')
  const open = await daemon.spawn('limiting 600', { name: 'open' })
  await daemon.inState(open.id, 'parked')
  await daemon.kill()
  await daemon.serve()
  const ended = await daemon.client.call('getSession', { id })
  const how = expect.stringContaining('`amux restore later --endpoint … --env …`')
  expect(ended).toMatchObject({
    isLive: false,
    outcome: { kind: 'failed', code: 'CONFIG_ERROR', evidence: how },
    attention: { kind: 'failed', message: how },
  })
  expect(await daemon.client.call('getSession', { id: open.id }), 'which concerns no other').toMatchObject({
    activity: { state: 'parked' },
  })
  await daemon.client.call('restore', { id, options: { endpoint: ENDPOINT, env: { A: 'b' } } })
  expect(await daemon.client.call('getSession', { id })).toMatchObject({ activity: { state: 'parked' } })
  await daemon.client.call('unpark', {})
  expect(await daemon.inState(id, 'idle')).toMatchObject({ summary: 'You said: say later' })
}, 60_000)

describe('whose limit it is', () => {
  test('an endpoint and its key count where a profile gives them', async () => {
    mkdirSync(join(daemon.home, 'profiles'), { recursive: true })
    const profile = (name: string, apiKey: string) =>
      writeFileSync(
        join(daemon.home, 'profiles', `${name}.json`),
        JSON.stringify({ agent: 'claude', endpoint: { ...ENDPOINT, apiKey } }),
      )
    profile('one', 'first-key-0123456789')
    profile('two', 'first-key-0123456789')
    await daemon.serve()
    const withProfile = (name: string) => ({ options: { profile: name } })
    const { id } = await daemon.spawn('limit 600', withProfile('one'))
    await daemon.session(id, 'the limit', ({ limit }) => limit?.until != null)
    expect(await daemon.client.call('quota')).toMatchObject([
      { account: { endpoint: ENDPOINT.baseUrl, key: expect.any(String), profile: 'one' } },
    ])
    const same = await daemon.spawn('say same', withProfile('one'))
    expect(same.activity.state).toBe('parked')
    const other = await daemon.spawn('say other', withProfile('two'))
    await daemon.inState(other.id, 'idle')
    profile('one', 'another-key-0123456789')
    const repaired = await daemon.spawn('say repaired', withProfile('one'))
    await daemon.inState(repaired.id, 'idle')
    const shown = JSON.stringify(await daemon.client.call('quota'))
    expect(shown).not.toContain('key-0123456789')
  }, 60_000)

  test('an agent or account that does not exist is an error', async () => {
    await daemon.serve()
    const { id } = await daemon.spawn('limit 600')
    await daemon.session(id, 'the limit', ({ limit }) => limit?.until != null)
    const [{ account } = { account: null }] = await daemon.client.call('quota')
    const said = async (...args: string[]) => {
      const { code, stdout, stderr } = await daemon.amux(...args)
      return { code, text: stdout + stderr }
    }
    expect(await said('unpark', 'cluade')).toEqual({ code: 3, text: expect.stringContaining('Did you mean "claude"?') })
    expect(await said('unpark', 'claude', 'nobody')).toEqual({ code: 8, text: expect.stringContaining('`amux quota`') })
    expect(await said('unpark', 'codex', account?.id ?? '')).toMatchObject({ code: 8 })
    expect(await said('quota', '-a', 'nobody')).toMatchObject({ code: 3 })
    expect(await said('ls', '-a', 'nobody')).toMatchObject({ code: 3 })
    await expect(daemon.client.call('unpark', { agent: 'claude', account: 'nobody' })).rejects.toMatchObject({
      code: 'ACCOUNT_NOT_FOUND',
    })
    expect(await daemon.client.call('quota'), 'nothing was freed').toMatchObject([{ parkedUntil: expect.any(Number) }])
    expect(await said('unpark', 'codex')).toEqual({ code: 0, text: expect.stringContaining('Nothing was parked') })
    expect(await said('unpark', 'claude', account?.id ?? '')).toMatchObject({ code: 0 })
    expect(await said('unpark', 'claude', account?.id ?? ''), 'known, and free').toMatchObject({ code: 0 })
  }, 60_000)
})
