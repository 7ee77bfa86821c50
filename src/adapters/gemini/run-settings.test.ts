import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { RunOptions } from '../../contract/run-options.ts'
import { here } from '../../process/here.ts'
import { writeRunFiles } from '../../process/run-files.ts'
import adapter from './index.ts'

function homeWith(settings: string): string {
  const home = mkdtempSync(join(tmpdir(), 'amux-gemini-'))
  mkdirSync(join(home, '.gemini/commands'), { recursive: true })
  writeFileSync(join(home, '.gemini/settings.json'), settings)
  writeFileSync(join(home, '.gemini/oauth_creds.json'), '{}')
  writeFileSync(join(home, '.env'), 'A=1')
  return home
}

const build = (home: string, options: Partial<RunOptions>) =>
  adapter.buildSpawnArgs({ prompt: 'do it', cwd: '/work', ...options, env: { HOME: home } })

function overridesOf(home: string, options: Partial<RunOptions>) {
  const { files = [] } = build(home, options)
  const copy = files.find(({ name }) => name === 'home/.gemini/settings.json')
  return JSON.parse(copy?.content ?? '{}')
}

const thinks = (model: string, thinkingConfig: object) => ({
  match: { model },
  modelConfig: { generateContentConfig: { thinkingConfig } },
})

test('the effort is in a copy of the settings, with all that the user has set', () => {
  const home = homeWith(
    '{ // mine\n "ui": { "theme": "a//b" }, "modelConfigs": { "customOverrides": [{ "match": {} }] } }',
  )
  const settings = overridesOf(home, { thinkingEffort: 'low', model: 'gemini-3-flash-preview' })
  expect(settings).toEqual({
    ui: { theme: 'a//b' },
    modelConfigs: { customOverrides: [{ match: {} }, thinks('gemini-3-flash-preview', { thinkingLevel: 'LOW' })] },
  })
})

test('older models take a number of tokens; without a model each one that may be chosen is named', () => {
  const home = homeWith('')
  const older = overridesOf(home, { thinkingEffort: 'high', model: 'gemini-2.5-pro' })
  expect(older.modelConfigs.customOverrides).toEqual([thinks('gemini-2.5-pro', { thinkingBudget: 24_576 })])
  const all = overridesOf(home, { thinkingEffort: 'high' }).modelConfigs.customOverrides
  expect(all).toContainEqual(thinks('gemini-3-pro-preview', { thinkingLevel: 'HIGH' }))
  expect(JSON.stringify(all)).not.toContain('auto')
})

test('the rest of the home is that of the user, and conversations outlast the run', async () => {
  const home = homeWith('{}')
  const { files = [], env } = build(home, { thinkingEffort: 'low' })
  const written = await writeRunFiles(here, files, 'effort')
  const at = written.fill(env?.GEMINI_CLI_HOME ?? '')
  for (const name of ['oauth_creds.json', 'commands', 'tmp', 'history']) {
    expect(realpathSync(join(at, '.gemini', name))).toBe(realpathSync(join(home, '.gemini', name)))
  }
  expect(readFileSync(join(at, '.env'), 'utf8')).toBe('A=1')
  writeFileSync(join(at, '.gemini/tmp/transcript'), 'x')
  await written.remove()
  expect(existsSync(at)).toBe(false)
  expect(readFileSync(join(home, '.gemini/tmp/transcript'), 'utf8')).toBe('x')
  expect(readFileSync(join(home, '.gemini/settings.json'), 'utf8')).toBe('{}')
})

test('settings that cannot be read are left to the CLI, and without an effort nothing is made', () => {
  const home = homeWith('{ "ui": ')
  const { files = [] } = build(home, { thinkingEffort: 'low' })
  expect(files.find(({ name }) => name.endsWith('settings.json'))?.content).toBe('{ "ui": ')
  expect(build(home, {}).env?.GEMINI_CLI_HOME).toBeUndefined()
})

test.each([{ newSessionId: 'abcdefgh' }, { nonInteractive: true, forkSessionId: 'there-is-one' }])(
  'another endpoint works in the one-way form, too, when the settings do not say how to sign in: %o',
  (form) => {
    const home = homeWith('{"ui":{"theme":"x"},"security":{"folderTrust":{"enabled":true}}}')
    mkdirSync(join(home, '.gemini/tmp/p/chats'), { recursive: true })
    writeFileSync(join(home, '.gemini/tmp/p/chats/session-1-there-is.jsonl'), '{"sessionId":"there-is-one"}')
    const endpoint = { baseUrl: 'http://127.0.0.1:9', apiKey: 'x' }
    expect(overridesOf(home, { ...form, endpoint })).toEqual({
      ui: { theme: 'x' },
      security: { folderTrust: { enabled: true }, auth: { selectedType: 'gemini-api-key' } },
    })
    expect(build(home, { ...form, endpoint }).env).toHaveProperty('GEMINI_CLI_HOME')
    expect(build(home, form).env).not.toHaveProperty('GEMINI_CLI_HOME')
    expect(build(home, { endpoint }).env).not.toHaveProperty('GEMINI_CLI_HOME')
  },
)
