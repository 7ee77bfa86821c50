import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { AdapterManifest, AuthFile } from '../contract/manifest.ts'
import { agentPath, variablesIn } from '../core/agent-paths.ts'
import { detectAuth } from '../files/agent-auth.ts'
import { openWritable } from '../files/sqlite.ts'
import { allowedEnvironment } from '../process/environment.ts'
import { loadAdapterFor } from './index.ts'
import { manifests } from './manifests.ts'
import { sessionStores, storePath } from './session-stores.ts'

let homeDir = ''
beforeEach(() => {
  homeDir = mkdtempSync(join(tmpdir(), 'amux-auth-files-'))
})
afterEach(() => rmSync(homeDir, { recursive: true, force: true }))

const SECRET = 'sk-live-0123456789abcdef'
/** As Gemini and Droid write what they have encrypted: in hex, in base64, and as bytes. */
const SEALED = [
  '9f86d081884c7d65:2feaa0c55ad015a3bf4f1b2b0b822cd1:5d6c15b0f00a08',
  'q83vEjRWeJq83vASNFZ4mrzeASNFZ4mrze8=',
  '\u0001\u0002binary',
]
const PAST = Date.parse('2020-01-01T00:00:00Z')
const FUTURE = Date.parse('2099-01-01T00:00:00Z')

/** A file with an empty list of keys holds none: it only says what is set up. */
const files = manifests.flatMap((manifest) =>
  manifest.auth.files
    .filter(({ keys }) => keys?.length !== 0)
    .map((file): [string, AdapterManifest, AuthFile] => [`${manifest.agent} ${file.path}`, manifest, file]),
)

/** A document with one field at the first place that the manifest names. */
function documentOf(file: AuthFile, value: unknown, beside: Record<string, unknown> = {}): Record<string, unknown> {
  const path = (file.keys?.[0] ?? 'accessToken').split('.').map((key) => key.replace('*', 'SOME'))
  const last = path.pop() ?? ''
  return path.reduceRight<Record<string, unknown>>((inner, key) => ({ [key]: inner }), { [last]: value, ...beside })
}

/** JSON is YAML as well. */
function written(file: AuthFile, document: Record<string, unknown>): string {
  if (file.format === 'env')
    return Object.entries(document)
      .map(([name, value]) => `${name}=${value ?? ''}\n`)
      .join('')
  if (file.format === 'toml') return toml(document)
  return JSON.stringify(document)
}

function toml(document: Record<string, unknown>, path: string[] = []): string {
  const isTable = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
  const entries = Object.entries(document).filter(([, value]) => value !== null)
  const values = entries
    .filter(([, value]) => !isTable(value))
    .map(([key, value]) => `${key} = ${JSON.stringify(value)}\n`)
  const tables = entries.flatMap(([key, value]) => (isTable(value) ? [toml(value, [...path, key])] : []))
  return `${path.length > 0 ? `[${path.join('.')}]\n` : ''}${values.join('')}${tables.join('')}`
}

async function statusWith(manifest: AdapterManifest, file: AuthFile, content: string | Record<string, unknown>[]) {
  const env = Object.fromEntries(variablesIn(file.path).map((name) => [name, join(homeDir, 'named')]))
  const host = { env, homeDir, platform: 'linux' as const }
  const path = agentPath(file.path, manifest.directories, host) ?? ''
  mkdirSync(dirname(path), { recursive: true })
  if (typeof content === 'string') writeFileSync(path, content)
  else await writeRows(path, file, content)
  const state = await detectAuth(manifest, host)
  expect(JSON.stringify(state)).not.toContain(SECRET)
  return state
}

async function writeRows(path: string, { query = '' }: AuthFile, rows: Record<string, unknown>[]): Promise<void> {
  const [, column, table] = /SELECT (\w+) FROM (\w+)/.exec(query) ?? []
  const database = await openWritable(path)
  database.exec(`CREATE TABLE ${table} (${column} TEXT, disabled_cause TEXT)`)
  for (const row of rows) database.prepare(`INSERT INTO ${table} (${column}) VALUES (?)`).run(JSON.stringify(row))
  database.close()
}

describe.each(files)('%s', (_name, manifest, file) => {
  const sealed = file.format === 'sealed'
  const database = file.format === 'sqlite'

  test('missing, empty or without a credential: nobody is signed in', async () => {
    const nobody = { status: 'unauthenticated' }
    expect(await detectAuth(manifest, { env: {}, homeDir, platform: 'linux' })).toMatchObject(nobody)
    if (database) {
      expect(await statusWith(manifest, file, [])).toMatchObject(nobody)
      return
    }
    expect(await statusWith(manifest, file, '')).toMatchObject(nobody)
    expect(await statusWith(manifest, file, ' \n')).toMatchObject(nobody)
    for (const text of ['{}', 'null', '[]', '\uFEFF{"token":null,"user":{"key":""}}']) {
      if (sealed) expect(await statusWith(manifest, file, text)).toMatchObject(nobody)
    }
    if (sealed) return
    expect(await statusWith(manifest, file, written(file, {}))).toMatchObject(nobody)
    const unrelated = { theme: 'dark', trusted_folders: 'x', trustedFolders: 'x', tokenizer: 'x' }
    expect(await statusWith(manifest, file, written(file, unrelated))).toMatchObject(nobody)
    expect(await statusWith(manifest, file, written(file, documentOf(file, null)))).toMatchObject(nobody)
    expect(await statusWith(manifest, file, written(file, documentOf(file, '')))).toMatchObject(nobody)
    expect(await statusWith(manifest, file, written(file, documentOf(file, '  ')))).toMatchObject(nobody)
    if (file.format !== 'env') return
    expect(await statusWith(manifest, file, `# ${file.keys?.[0]}=${SECRET}\n`)).toMatchObject(nobody)
  })

  test('what cannot be read is unknown', async () => {
    // Every text is a file of variables.
    if (file.format === 'env') return
    if (sealed) {
      for (const text of ['junk', 'signed out', `{"${SECRET}`, '{"token":"x"}', 'a'.repeat(64), '{"broken":']) {
        const state = await statusWith(manifest, file, text)
        expect(state).toMatchObject({ status: 'unknown', details: expect.stringContaining('not encrypted') })
      }
      return
    }
    const state = await statusWith(manifest, file, `{"${SECRET}`)
    expect(state).toMatchObject({ status: 'unknown', details: expect.stringContaining('cannot be understood') })
  })

  test('a credential that looks real counts', async () => {
    const present = { status: 'authenticated', method: file.method }
    if (sealed) for (const text of SEALED) expect(await statusWith(manifest, file, text)).toMatchObject(present)
    else if (database) {
      expect(await statusWith(manifest, file, [{ accessToken: SECRET }])).toMatchObject(present)
    } else expect(await statusWith(manifest, file, written(file, documentOf(file, SECRET)))).toMatchObject(present)
  })

  test('an expiry that it states is believed', async () => {
    // Variables have no fields beside them.
    if (sealed || file.format === 'env') return
    const put = (beside: Record<string, unknown>) => {
      const document = documentOf(file, SECRET, beside)
      return database ? [document] : written(file, document)
    }
    const state = async (beside: Record<string, unknown>) => {
      rmSync(homeDir, { recursive: true, force: true })
      mkdirSync(homeDir)
      return await statusWith(manifest, file, put(beside))
    }
    expect(await state({ expiresAt: PAST })).toMatchObject({ status: 'expired', expiresAt: PAST })
    expect(await state({ expires_at: PAST / 1000 })).toMatchObject({ status: 'expired', expiresAt: PAST })
    expect(await state({ expires: FUTURE })).toMatchObject({ status: 'authenticated', expiresAt: FUTURE })
    const renewable = await state({ expiry_date: PAST, refresh_token: SECRET })
    expect(renewable).toMatchObject({ status: 'authenticated', details: expect.stringContaining('renews it') })
  })
})

test('a web token states its own expiry', async () => {
  const codex = manifests.find(({ agent }) => agent === 'codex')
  const file = codex?.auth.files[0]
  if (!codex || !file) throw new Error('no codex')
  const token = ['h', Buffer.from(JSON.stringify({ exp: PAST / 1000 })).toString('base64url'), 's'].join('.')
  const state = await statusWith(codex, file, JSON.stringify({ tokens: { access_token: token } }))
  expect(state).toMatchObject({ status: 'expired', expiresAt: PAST })
})

test('an account that Copilot names has its token in the keychain', async () => {
  const copilot = manifests.find(({ agent }) => agent === 'copilot')
  const file = copilot?.auth.files[0]
  if (!copilot || !file) throw new Error('no copilot')
  const text = `// managed\n{"loggedInUsers":[{"host":"https://github.com","login":"octocat"}],"trustedFolders":["/x"]}`
  expect(await statusWith(copilot, file, text)).toMatchObject({
    status: 'authenticated',
    method: 'keychain',
    identity: 'octocat',
  })
})

test('where the login is kept in a keychain or nobody knows where, nothing is claimed', async () => {
  for (const manifest of manifests) {
    const { status } = await detectAuth(manifest, { env: {}, homeDir, platform: 'darwin' })
    const elsewhere = manifest.auth.files.length === 0 || manifest.capabilities.authMethods.includes('keychain')
    expect([manifest.agent, status]).toEqual([manifest.agent, elsewhere ? 'unknown' : 'unauthenticated'])
  }
})

const moves = manifests.flatMap((manifest) =>
  Object.entries(manifest.directories ?? {}).flatMap(([place, templates]) =>
    templates.map((template): [string, string, AdapterManifest, string] => [
      `${manifest.agent} ${place}`,
      template,
      manifest,
      place,
    ]),
  ),
)

describe.each(moves)('%s is moved by %s', (_name, template, manifest, place) => {
  const env = Object.fromEntries(variablesIn(template).map((name) => [name, '/moved']))
  const host = { env, homeDir: '/home/user' }
  const store = sessionStores.find(({ agent }) => agent === manifest.agent)
  const isBelow = (path: string) => path === place || path.startsWith(`${place}/`)

  test('for logins, settings, sessions and hooks alike', async () => {
    const { auth, configSchema, directories } = manifest
    const paths = [...auth.files.map(({ path }) => path), ...configSchema.configFilePaths].filter(isBelow)
    for (const path of paths) expect(agentPath(path, directories, host)).toContain('/moved')
    if (store && isBelow(store.at)) expect(storePath(manifest.agent, host)).toContain('/moved')
    const adapter = await loadAdapterFor(manifest.agent, {})
    const plan = adapter.planHooks?.({ ...host, workspace: '/w', callback: '/data/amux-hook', dataDir: '/data' })
    const usual = place.replace('~', '/home/user')
    for (const { path } of plan?.user?.files ?? []) expect(path.startsWith(`${usual}/`)).toBe(false)
  })

  test('and the agent gets to see the variable', () => {
    expect(allowedEnvironment(env, manifest.passEnv ?? [])).toEqual(env)
  })
})

test('an adapter with a host of its own looks at that home, and at the one of this process otherwise', async () => {
  const own = await loadAdapterFor('claude', { env: {}, homeDir })
  expect(own.sessionDir('/w').startsWith(homeDir)).toBe(true)
  const usual = await loadAdapterFor('claude')
  expect(usual.sessionDir('/w').startsWith(homeDir)).toBe(false)
})
