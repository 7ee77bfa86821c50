import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { detectAuth } from '../files/agent-auth.ts'
import { loadAdapterFor } from './index.ts'
import { manifests } from './manifests.ts'

let homeDir = ''
beforeEach(() => {
  homeDir = mkdtempSync(join(tmpdir(), 'amux-auth-homes-'))
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(homeDir, { recursive: true, force: true })
})

type Home = [agent: string, status: string, files: Record<string, string>, env?: Record<string, string>]

/** Homes as they are on machines: what each has, and what is known of it. */
const HOMES: Home[] = [
  // A reference to a variable that is not set is not a key.
  ['crush', 'unauthenticated', { '.config/crush/crush.json': '{"providers":{"x":{"api_key":"$SOME_KEY"}}}' }],
  [
    'crush',
    'authenticated',
    { '.config/crush/crush.json': '{"providers":{"x":{"api_key":"$SOME_KEY"}}}' },
    { SOME_KEY: 'k' },
  ],
  [
    'openclaw',
    'unauthenticated',
    { '.openclaw/openclaw.json': `{"models":{"providers":{"x":{"apiKey":"$\{SOME_KEY}"}}}}` },
  ],
  ['qwen', 'unauthenticated', { '.qwen/settings.json': '{"security":{"auth":{"apiKey":"$SOME_KEY"}}}' }],
  ['pi', 'unauthenticated', { '.pi/agent/models.json': '{"providers":{"x":{"apiKey":"$SOME_KEY"}}}' }],
  ['pi', 'unknown', { '.pi/agent/models.json': '{"providers":{"x":{"apiKey":"!op read x"}}}' }],
  ['continue', 'unknown', { '.continue/config.yaml': `models:\n  - apiKey: $\{{ secrets.X }}\n` }],
  [
    'opencode',
    'unauthenticated',
    { '.config/opencode/opencode.json': '{"provider":{"x":{"options":{"apiKey":"{env:X}"}}}}' },
  ],
  ['opencode', 'authenticated', { '.config/opencode/opencode.jsonc': '{"provider":{"x":{"options":{"apiKey":"k"}}}}' }],
  // The settings name the variable.
  ['codex', 'authenticated', { '.codex/config.toml': '[model_providers.x]\nenv_key = "MINE"\n' }, { MINE: 'k' }],
  ['codex', 'unauthenticated', { '.codex/config.toml': '[model_providers.x]\nenv_key = "MINE"\n' }],
  // The login is where nothing is read.
  ['codex', 'unknown', { '.codex/config.toml': 'cli_auth_credentials_store = "keyring"\n' }],
  ['codex', 'unauthenticated', { '.codex/config.toml': 'cli_auth_credentials_store = "file"\n' }],
  ['claude', 'unknown', {}, { CLAUDE_CODE_USE_BEDROCK: '1' }],
  ['claude', 'unauthenticated', {}, { CLAUDE_CODE_USE_BEDROCK: '0' }],
  ['claude', 'unknown', { '.claude/settings.json': '{"env":{"CLAUDE_CODE_USE_VERTEX":"1"}}' }],
  ['gemini', 'unknown', {}, { GOOGLE_GENAI_USE_VERTEXAI: 'true' }],
  ['gemini', 'unknown', { '.gemini/settings.json': '{"security":{"auth":{"selectedType":"vertex-ai"}}}' }],
  ['gemini', 'unauthenticated', { '.gemini/settings.json': '{"security":{"auth":{"selectedType":"oauth-personal"}}}' }],
  ['copilot', 'authenticated', { '.config/gh/hosts.yml': 'github.com:\n  oauth_token: gho_x\n' }],
  ['copilot', 'unknown', { '.config/gh/hosts.yml': 'github.com:\n  user: octocat\n' }],
  ['amp', 'unauthenticated', { '.local/share/amp/secrets.json': '{"mcp-oauth-token@https://x":"y"}' }],
  ['claude', 'unknown', { '.claude/settings.json': '{"apiKeyHelper":"/bin/key --token x"}' }],
  // Settings in a variable, a folder of settings that a variable names, and another name of the file.
  ...['opencode', 'opencode-http', 'kilo'].flatMap((agent): Home[] => {
    const [name = '', prefix] = [agent.split('-')[0], agent.split('-')[0]?.toUpperCase()]
    const settings = '{"provider":{"x":{"options":{"apiKey":"k"}}}}'
    return [
      [agent, 'authenticated', {}, { [`${prefix}_CONFIG_CONTENT`]: settings }],
      [agent, 'unauthenticated', {}, { [`${prefix}_CONFIG_CONTENT`]: '{"provider":{"x":{}}}' }],
      [agent, 'unknown', {}, { [`${prefix}_CONFIG_CONTENT`]: '{"provider' }],
      [agent, 'authenticated', { [`here/${name}.json`]: settings }, { [`${prefix}_CONFIG_DIR`]: '~/here' }],
      [agent, 'authenticated', { [`.config/${name}/config.json`]: settings }],
    ]
  }),
  // OpenClaw's settings are JSON5, and a key may be a reference.
  [
    'openclaw',
    'authenticated',
    { '.openclaw/openclaw.json': "{ models: { providers: { x: { apiKey: 'k', }, }, }, // c\n}" },
  ],
  ['openclaw', 'unauthenticated', { '.openclaw/openclaw.json': "{ models: {}, /* apiKey: 'k' */ url: 'http://x' }" }],
  ['openclaw', 'unknown', { '.openclaw/openclaw.json': "{models:{providers:{x:{apiKey:{source:'exec',id:'v'}}}}}" }],
  [
    'openclaw',
    'unauthenticated',
    { '.openclaw/openclaw.json': "{models:{providers:{x:{apiKey:{source:'env',id:'A'}}}}}" },
  ],
  [
    'openclaw',
    'authenticated',
    { '.openclaw/openclaw.json': "{models:{providers:{x:{apiKey:{source:'env',id:'A'}}}}}" },
    { A: 'k' },
  ],
  ['auggie', 'unauthenticated', {}, { AUGMENT_SESSION_AUTH: '{}' }],
  ['auggie', 'authenticated', {}, { AUGMENT_SESSION_AUTH: '{"accessToken":"a"}' }],
  [
    'gemini',
    'unknown',
    { 's.json': '{"security":{"auth":{"selectedType":"vertex-ai"}}}' },
    { GEMINI_CLI_SYSTEM_SETTINGS_PATH: '~/s.json' },
  ],
  ['codex', 'authenticated', { '.codex/auth.json': '{"OPENAI_API_KEY":null,"personal_access_token":"p"}' }],
  ['grok', 'authenticated', { '.grok/config.toml': '[model.x]\nenv_key = "MINE"\n' }, { MINE: 'k' }],
  ['grok', 'unauthenticated', { '.grok/config.toml': '[model.x]\nenv_key = "MINE"\n' }],
  ['vibe', 'authenticated', { '.vibe/config.toml': '[[providers]]\napi_key_env_var = "MINE"\n' }, { MINE: 'k' }],
  ['aider', 'authenticated', { '.aider/oauth-keys.env': 'OPENROUTER_API_KEY="k"\n' }],
  ['aider', 'authenticated', {}, { AIDER_API_KEY: 'gemini=k' }],
  ['goose', 'authenticated', {}, { DATABRICKS_TOKEN: 'k' }],
  // Some CLIs write the time as a text.
  [
    'claude',
    'expired',
    { '.claude/.credentials.json': `{"claudeAiOauth":{"accessToken":"a","expiresAt":"1577836800000"}}` },
  ],
]

test.each(HOMES)('%s is %s with %j %j', async (agent, status, written, env = {}) => {
  const manifest = manifests.find((candidate) => candidate.agent === agent)
  if (!manifest) throw new Error(`no ${agent}`)
  for (const [path, text] of Object.entries(written)) {
    mkdirSync(dirname(join(homeDir, path)), { recursive: true })
    writeFileSync(join(homeDir, path), text)
  }
  expect(await detectAuth(manifest, { env, homeDir, platform: 'linux' })).toMatchObject({ status })
})

test('a home that changes while the process runs is followed, like every other variable', async () => {
  const adapter = await loadAdapterFor('codex', {})
  vi.stubEnv('CODEX_HOME', undefined)
  vi.stubEnv('CODEX_API_KEY', undefined)
  vi.stubEnv('CODEX_ACCESS_TOKEN', undefined)
  vi.stubEnv('HOME', homeDir)
  mkdirSync(join(homeDir, '.codex'))
  writeFileSync(join(homeDir, '.codex/auth.json'), '{"OPENAI_API_KEY":"k"}')
  expect(await adapter.detectAuth()).toMatchObject({ status: 'authenticated' })
  expect(adapter.sessionDir()).toBe(join(homeDir, '.codex/sessions'))
})
