import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { AdapterManifest } from '../contract/manifest.ts'
import { authGuidance, detectAuth } from './agent-auth.ts'

let homeDir = ''
beforeEach(async () => {
  homeDir = await mkdtemp(join(tmpdir(), 'amux-auth-'))
})
afterEach(() => rm(homeDir, { recursive: true, force: true }))

const AUTH: AdapterManifest['auth'] = {
  envVars: [
    { name: 'FIRST_KEY', method: 'api_key', description: 'a key' },
    { name: 'SECOND_TOKEN', method: 'oauth', description: 'a token' },
  ],
  files: [
    { path: '~/.agent/credentials.json', method: 'oauth' },
    { path: '~/.agent/token', method: 'token_file', format: 'text' },
  ],
  providerName: 'Provider',
  loginCommand: 'agent login',
  verifyCommand: 'agent whoami',
  documentationUrls: ['https://example.com'],
}

function manifest(auth: AdapterManifest['auth'] = AUTH): AdapterManifest {
  return {
    agent: 'agent',
    displayName: 'Agent',
    cliCommand: 'agent',
    verification: 'unverified',
    auth,
    models: [],
    // Authentication reads neither of these.
    ...JSON.parse('{"capabilities": {}, "configSchema": {}}'),
  }
}

async function put(path: string, content: string): Promise<void> {
  await mkdir(dirname(join(homeDir, path)), { recursive: true })
  await writeFile(join(homeDir, path), content)
}

const detect = (env: Record<string, string> = {}) => detectAuth(manifest(), { env, homeDir })

test('nothing found', async () => {
  const before = Date.now()
  const state = await detect({ FIRST_KEY: ' ' })
  expect(state).toEqual({ agent: 'agent', status: 'unauthenticated', checkedAt: expect.any(Number) })
  expect(state.checkedAt).toBeGreaterThanOrEqual(before)
})

test('a variable counts first and shows eight characters', async () => {
  await put('.agent/token', 'abc')
  expect(await detect({ SECOND_TOKEN: 'sk-ant-0123456789' })).toMatchObject({
    status: 'authenticated',
    method: 'oauth',
    identity: 'sk-ant-0…',
  })
})

test('a short value is not shown whole', async () => {
  expect((await detect({ FIRST_KEY: 'password' })).identity).toBe('pass…')
})

test('a file counts when something is in it', async () => {
  await put('.agent/token', 'abc')
  await put('.agent/credentials.json', '{}\n')
  expect(await detect()).toMatchObject({ status: 'authenticated', method: 'token_file' })
})

test('an expiry in the past is expired, in the future not', async () => {
  const past = Date.now() - 1000
  await put('.agent/credentials.json', JSON.stringify({ claudeAiOauth: { accessToken: 't', expiresAt: past } }))
  expect(await detect()).toMatchObject({ status: 'expired', method: 'oauth', expiresAt: past })
  await put('.agent/credentials.json', JSON.stringify({ token: 't', expiresAt: past + 60_000 }))
  expect(await detect()).toMatchObject({ status: 'authenticated', method: 'oauth', expiresAt: past + 60_000 })
})

test('a good file counts over an expired one', async () => {
  await put('.agent/credentials.json', JSON.stringify({ token: 't', expiresAt: 1 }))
  await put('.agent/token', 'abc')
  expect(await detect()).toMatchObject({ status: 'authenticated', method: 'token_file' })
})

test('what goes wrong is unknown, never a throw', async () => {
  const loop = manifest({ ...AUTH, files: [{ path: `~/${'x'.repeat(5000)}`, method: 'oauth' }] })
  expect(await detectAuth(loop, { env: {}, homeDir })).toMatchObject({ agent: 'agent', status: 'unknown' })
  const broken = manifest(JSON.parse('{}'))
  expect(await detectAuth(broken, { env: {}, homeDir })).toMatchObject({ status: 'unknown' })
})

test('no secret in the answer', async () => {
  await put('.agent/credentials.json', '{"token":"very-secret-value"}')
  expect(JSON.stringify(await detect())).not.toContain('secret')
  expect(JSON.stringify(await detect({ FIRST_KEY: 'prefix-1-very-secret-value' }))).not.toContain('secret')
})

test('guidance comes from the manifest', () => {
  const guidance = authGuidance(manifest())
  expect(guidance).toMatchObject({ agent: 'agent', providerName: 'Provider', loginCommand: 'agent login' })
  expect(guidance.steps.map(({ step, command }) => [step, command])).toEqual([
    [1, 'agent login'],
    [2, undefined],
    [3, 'agent whoami'],
  ])
  expect(guidance.envVars).toEqual([
    { name: 'FIRST_KEY', description: 'a key', required: false },
    { name: 'SECOND_TOKEN', description: 'a token', required: false },
  ])
  const one = { ...AUTH, envVars: AUTH.envVars.slice(0, 1), loginCommand: undefined }
  expect(authGuidance(manifest(one)).envVars[0]?.required).toBe(true)
})

test('guidance of a broken manifest is empty', () => {
  expect(authGuidance(manifest(JSON.parse('null')))).toMatchObject({ agent: 'agent', steps: [] })
})
