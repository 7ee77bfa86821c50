import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { bareAdapter, model } from '../../test/support/adapters.ts'
import { collect, temporaryDirectory } from '../../test/support/client.ts'
import { plainGit } from '../../test/support/git.ts'
import { ValidationError } from '../contract/errors.ts'
import type { RunResult } from '../contract/run-handle.ts'
import type { RunOptions } from '../contract/run-options.ts'
import { createClient } from './client.ts'
import { findLocations } from './defaults.ts'
import { indexLine } from './run-index.ts'

/** A client with its own directories, and the options that its runs arrive with at the adapter. */
function setUp(clientOptions: object = {}) {
  const configDir = join(temporaryDirectory(), 'user')
  const projectConfigDir = join(temporaryDirectory(), 'project')
  for (const directory of [configDir, projectConfigDir]) mkdirSync(directory)
  const mux = createClient({ configDir, projectConfigDir, ...clientOptions })
  const seen: RunOptions[] = []
  const adapter = bareAdapter('fake', { args: ['-e', ''] })
  mux.adapters.register({
    ...adapter,
    buildSpawnArgs(options) {
      seen.push(options)
      return adapter.buildSpawnArgs(options)
    },
  })
  const write = (directory: string, settings: unknown) =>
    writeFileSync(join(directory, 'config.json'), typeof settings === 'string' ? settings : JSON.stringify(settings))
  const effective = async (options: Partial<RunOptions> = {}) => {
    await mux.run({ prompt: 'x', agent: 'fake', ...options })
    return seen.at(-1)
  }
  return { mux, configDir, projectConfigDir, write, effective }
}

function ancestorsOf(path: string): string[] {
  const parent = dirname(path)
  return parent === path ? [] : [parent, ...ancestorsOf(parent)]
}

describe('settings', () => {
  test('run over profile over client over project over user', async () => {
    const { mux, configDir, projectConfigDir, write, effective } = setUp({ timeout: 30_003, debug: true })
    write(configDir, {
      timeout: 30_001,
      inactivityTimeout: 40_003,
      stream: false,
      defaultModel: 'user',
      approvalMode: 'deny',
    })
    write(projectConfigDir, { timeout: 30_002, inactivityTimeout: 40_002, defaultModel: 'project' })
    await mux.profiles.set('p', { timeout: 30_004, model: 'profile' })
    expect(await effective()).toMatchObject({
      ...{
        timeout: 30_003,
        inactivityTimeout: 40_002,
        stream: false,
        model: 'project',
        approvalMode: 'deny',
        debug: true,
      },
    })
    expect(await effective({ profile: 'p' })).toMatchObject({
      timeout: 30_004,
      model: 'profile',
      inactivityTimeout: 40_002,
    })
    expect(await effective({ profile: 'p', timeout: 30_005, model: undefined })).toMatchObject({
      timeout: 30_005,
      model: 'profile',
    })
  })

  test('the default agent may come from a file', async () => {
    const { mux, configDir, write } = setUp()
    write(configDir, { defaultAgent: 'fake' })
    expect((await mux.run({ prompt: 'x' })).agent).toBe('fake')
  })

  test('a retry policy is merged field by field', async () => {
    const { configDir, write, effective } = setUp({ retryPolicy: { baseDelayMs: 5 } })
    write(configDir, { retryPolicy: { baseDelayMs: 1, jitterFactor: 0 } })
    expect((await effective({ retryPolicy: { maxRetries: 2 } }))?.retryPolicy).toEqual({
      maxRetries: 2,
      baseDelayMs: 5,
      jitterFactor: 0,
    })
  })

  test.each([
    ['that does not parse', '{ timeout: 1 }', 'CONFIG_ERROR'],
    ['that is not an object', '[]', 'CONFIG_ERROR'],
    ['with a bad value', '{"timeout":"soon"}', 'VALIDATION_ERROR'],
  ])('a file %s is an error, not a default', (_, content, code) => {
    const { mux, configDir, write } = setUp()
    write(configDir, content)
    expect(() => mux.run({ prompt: 'x', agent: 'fake' })).toThrow(expect.objectContaining({ code }))
  })

  test('createClient checks its options and touches no disk', () => {
    expect(() => createClient({ configDir: 'relative', timeout: -1, eventBufferSize: 5 })).toThrow(
      /configDir.*timeout.*eventBufferSize/,
    )
    const configDir = join(temporaryDirectory(), 'not-made')
    createClient({ configDir, projectConfigDir: configDir })
    expect(existsSync(configDir)).toBe(false)
  })

  test('the project is found by walking up, but is never the home', () => {
    const home = temporaryDirectory()
    const deep = join(home, 'project', 'a', 'b')
    mkdirSync(deep, { recursive: true })
    mkdirSync(join(home, '.agent-mux'))
    const locate = (env: Record<string, string> = {}, given = {}) => findLocations(given, { HOME: home, ...env }, deep)
    // Somebody may have worked in the directory that all temporary ones are in.
    const above = ancestorsOf(home).map((directory) => join(directory, '.agent-mux'))
    const projectDir = above.find((directory) => existsSync(directory)) ?? join(deep, '.agent-mux')
    expect(locate()).toEqual({ configDir: join(home, '.agent-mux'), projectDir })
    mkdirSync(join(home, 'project', '.agent-mux'))
    expect(locate().projectDir).toBe(join(home, 'project', '.agent-mux'))
    const env = { AGENT_MUX_CONFIG_DIR: '/c', AGENT_MUX_PROJECT_DIR: '/p' }
    expect(locate(env)).toEqual({ configDir: '/c', projectDir: '/p' })
    expect(locate(env, { configDir: '/x', projectConfigDir: '/y' })).toEqual({ configDir: '/x', projectDir: '/y' })
  })

  test.each(['', '.', 'home'])('are never in the current directory because HOME is "%s"', (HOME) => {
    for (const env of [{ HOME }, { HOME, AGENT_MUX_CONFIG_DIR: '' }]) {
      const find = () => findLocations({}, env, '/work').configDir
      const home = ownHome()
      if (home === null) expect(find).toThrow(/HOME is not set, and user \d+ has no home/)
      else expect(find()).toBe(join(home, '.agent-mux'))
    }
    expect(() => findLocations({}, { HOME, AGENT_MUX_CONFIG_DIR: 'conf' }, '/work')).toThrow(/relative path/)
  })
})

describe('profiles', () => {
  test('a project profile hides the one of the user', async () => {
    const { mux } = setUp()
    await mux.profiles.set('both', { model: 'user' })
    await mux.profiles.set('both', { model: 'project' }, { scope: 'project' })
    await mux.profiles.set('mine', { agent: 'fake' })
    expect(mux.profiles.list()).toMatchObject([
      { name: 'both', scope: 'project', hasGlobalOverride: true, model: 'project' },
      { name: 'mine', scope: 'global', hasGlobalOverride: false, agent: 'fake' },
    ])
    expect(mux.profiles.list({ scope: 'global' }).map(({ name }) => name)).toEqual(['both', 'mine'])
    expect(mux.profiles.apply('both', { timeout: 1 })).toEqual({ model: 'project', timeout: 1 })
    await mux.profiles.delete('both')
    expect(mux.profiles.show('both')).toMatchObject({ scope: 'global', data: { model: 'user' } })
  })

  test('a profile replaces the one before wholly', async () => {
    const { mux } = setUp()
    await mux.profiles.set('p', { model: 'a', timeout: 1 })
    await mux.profiles.set('p', { timeout: 2 })
    expect(mux.profiles.show('p').data).toEqual({ timeout: 2 })
  })

  test('what belongs to one run is refused, every field of it', async () => {
    const { mux } = setUp()
    const set = mux.profiles.set('p', { prompt: 'x', cwd: '/', env: {}, sessionId: 's' })
    await expect(set).rejects.toBeInstanceOf(ValidationError)
    const error = await set.catch((reason: unknown) => reason)
    const fields = error instanceof ValidationError ? error.fields.map(({ field }) => field) : []
    expect(fields.sort()).toEqual(['cwd', 'env', 'prompt', 'sessionId'])
    expect(mux.profiles.list()).toEqual([])
  })

  test.each(['', 'a b', '../x', 'x'.repeat(65)])('the name %j is refused', async (name) => {
    await expect(setUp().mux.profiles.set(name, {})).rejects.toBeInstanceOf(ValidationError)
  })

  test.each(['../../etc/x', 'nobody'])('deleting %j deletes nothing', async (name) => {
    await expect(setUp().mux.profiles.delete(name)).rejects.toMatchObject({ code: 'PROFILE_NOT_FOUND' })
    await expect(setUp().mux.profiles.delete(name, { scope: 'global' })).rejects.toMatchObject({
      code: 'PROFILE_NOT_FOUND',
    })
  })

  test('a broken file is listed as such and cannot be applied', () => {
    const { mux, configDir } = setUp()
    mkdirSync(join(configDir, 'profiles'))
    writeFileSync(join(configDir, 'profiles', 'bad.json'), '{')
    writeFileSync(join(configDir, 'profiles', 'not a profile.json'), '{}')
    expect(mux.profiles.list()).toMatchObject([{ name: 'bad', corrupt: true }])
    expect(() => mux.profiles.apply('bad')).toThrow(expect.objectContaining({ code: 'CONFIG_ERROR' }))
    expect(() => mux.run({ agent: 'fake', prompt: 'x', profile: 'bad' })).toThrow(
      expect.objectContaining({ code: 'CONFIG_ERROR' }),
    )
  })
})

describe('the run index', () => {
  const result: RunResult = {
    ...{ runId: '01ARZ3NDEKTSV4RRFFQ69G5FAV', agent: 'fake', model: 'm', sessionId: 's', text: '', cost: null },
    ...{ durationMs: 1, exitCode: 0, signal: null, exitReason: 'completed', outcome: { kind: 'completed' } },
    ...{ tokenUsage: null, usageByModel: {}, turnCount: 1, error: null, events: [], tags: ['a'], unrecognized: {} },
  }

  test('has one line for each run that has ended', async () => {
    const { mux, projectConfigDir } = setUp()
    const first = await mux.run({ agent: 'fake', prompt: 'x', tags: ['t'] })
    await mux.run({ agent: 'fake', prompt: 'x' })
    const lines = readFileSync(join(projectConfigDir, 'run-index.jsonl'), 'utf8').trimEnd().split('\n')
    expect(lines).toHaveLength(2)
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      ...{ v: 1, runId: first.runId, agent: 'fake', outcome: 'completed', tags: ['t'] },
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
    })
  })

  test('says which project a run counts for', async () => {
    const { mux, projectConfigDir } = setUp()
    await mux.run({ agent: 'fake', prompt: 'x', projectId: 'p-1' })
    await mux.run({ agent: 'fake', prompt: 'x' })
    const lines = readFileSync(join(projectConfigDir, 'run-index.jsonl'), 'utf8').trim().split('\n')
    expect(lines.map((line) => JSON.parse(line).projectId)).toEqual(['p-1', undefined])
  })

  test('does not show up in git, even among settings that do', async () => {
    const { mux, projectConfigDir } = setUp()
    plainGit(projectConfigDir, 'init', '-q')
    writeFileSync(join(projectConfigDir, 'of-the-user'), '')
    await mux.run({ agent: 'fake', prompt: 'x' })
    const status = plainGit(projectConfigDir, 'status', '--porcelain', '-uall')
    expect(status).toContain('of-the-user')
    expect(status).not.toMatch(/run-index|gitignore/)
  })

  test.each([
    ['many tags', { tags: Array.from({ length: 900 }, (_, i) => `tag ${i}`) }],
    ['a long model name', { model: '€'.repeat(5000) }],
    ['a long session id', { sessionId: 'x'.repeat(9000) }],
  ])('stays below 4 KiB with %s', (_, fields) => {
    const line = indexLine({ ...result, ...fields }, 'p'.repeat(9000))
    expect(Buffer.byteLength(`${line}\n`)).toBeLessThanOrEqual(4096)
    expect(JSON.parse(line)).toMatchObject({ v: 1, runId: result.runId, outcome: 'completed' })
  })

  test('a run does not fail because its line cannot be written', async () => {
    const { mux, projectConfigDir } = setUp()
    mkdirSync(join(projectConfigDir, 'run-index.jsonl'))
    const { result: done } = await collect(mux.run({ agent: 'fake', prompt: 'x' }))
    expect(done.outcome.kind).toBe('completed')
  })
})

test('a model that is not in the list is passed on, with a word about it', async () => {
  const { mux, effective } = setUp()
  const adapter = await mux.adapters.load('fake')
  mux.adapters.register({ ...adapter, models: [model('fake', 'm1', { modelAlias: 'one' })] })
  expect(await effective({ model: 'm9' })).toMatchObject({ model: 'm9' })
  const said = async (name: string) =>
    (await collect(mux.run({ agent: 'fake', prompt: 'x', model: name }))).events.filter(({ type }) => type === 'debug')
  expect(await said('m9')).toMatchObject([
    { level: 'warn', message: expect.stringContaining('"m9" is not in our list') },
  ])
  expect(await said('one')).toEqual([])
})

/** Null for a user without a name, as in many containers. */
function ownHome(): string | null {
  try {
    return userInfo().homedir
  } catch {
    return null
  }
}
