import { lstat, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { AgentConfigSchema, ConfigField } from '../contract/config.ts'
import { readAgentConfig, writeAgentConfig } from './agent-config.ts'

let home = ''
let project = ''
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'amux-config-'))
  project = join(home, 'work/project')
})
afterEach(() => rm(home, { recursive: true, force: true }))

function field(path: string, nativeKeyPath: string, type: ConfigField['type'] = 'string'): ConfigField {
  return { path, label: path, description: '', type, required: false, normalized: true, nativeKeyPath, scope: 'both' }
}

const CLAUDE: AgentConfigSchema = {
  agent: 'claude',
  fields: [
    field('model', 'model'),
    field('allowedCommands', 'permissions.allow', 'string[]'),
    field('env', 'env', 'object'),
    field('approvalMode', 'permissions.defaultMode'),
    field('mcpServers', 'mcpServers', 'McpServerConfig[]'),
    { ...field('theme', 'theme'), normalized: false },
  ],
  configFilePaths: ['~/.claude/settings.json'],
  projectConfigFilePaths: ['.claude/settings.json', '.claude/settings.local.json'],
  configFormat: 'json',
  supportsProjectConfig: true,
}

const CODEX: AgentConfigSchema = {
  agent: 'codex',
  fields: [field('model', 'model'), field('mcpServers', 'mcp_servers', 'McpServerConfig[]')],
  configFilePaths: ['~/.codex/config.toml'],
  projectConfigFilePaths: [],
  configFormat: 'toml',
  supportsProjectConfig: false,
}

async function put(path: string, content: string): Promise<string> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, content)
  return path
}

const host = () => ({ env: {}, homeDir: home })
const claudeFile = () => join(home, '.claude/settings.json')
const codexFile = () => join(home, '.codex/config.toml')
const text = (path: string) => readFile(path, 'utf8')

test('no file, an empty config', async () => {
  expect(await readAgentConfig(CLAUDE, host(), project)).toEqual({})
})

test('the project wins over the user: tables merge, lists and scalars replace', async () => {
  const global = await put(
    claudeFile(),
    '{ "model": "a", "permissions": {"allow": ["x", "y"], "ask": ["q"]}, "env": {"A": "1"}, "theme": "dark" } // c',
  )
  expect(await readAgentConfig(CLAUDE, host(), project)).toMatchObject({
    source: 'global',
    filePaths: [global],
    model: 'a',
  })
  const local = await put(
    join(project, '.claude/settings.local.json'),
    '{ "model": "b", "permissions": {"allow": ["z"]}, "env": {"B": "2"} }',
  )
  expect(await readAgentConfig(CLAUDE, host(), project)).toEqual({
    agent: 'claude',
    source: 'merged',
    filePaths: [global, local],
    model: 'b',
    allowedCommands: ['z'],
    env: { A: '1', B: '2' },
    native: { permissions: { ask: ['q'] }, theme: 'dark' },
  })
  await rm(global)
  expect(await readAgentConfig(CLAUDE, host(), project)).toMatchObject({ source: 'project', filePaths: [local] })
})

test('a value of another type than ours stays native', async () => {
  await put(claudeFile(), '{ "model": 5, "permissions": {"defaultMode": "acceptEdits"}, "mcpServers": [] }')
  const config = await readAgentConfig(CLAUDE, host())
  expect(config.native).toEqual({ model: 5, permissions: { defaultMode: 'acceptEdits' }, mcpServers: [] })
  expect(config.model).toBeUndefined()
})

test('reads MCP servers of JSON and TOML', async () => {
  await put(
    claudeFile(),
    `{"mcpServers": {
      "files": {"command": "npx", "args": ["-y"], "env": {"A": "1"}, "disabled": true},
      "web": {"type": "http", "url": "https://x", "headers": {"H": "v"}},
      "old": {"type": "sse", "url": "https://y"},
      "strange": {"socket": "/tmp/s"}
    }}`,
  )
  const claude = await readAgentConfig(CLAUDE, host())
  expect(claude.mcpServers).toEqual([
    { name: 'files', transport: 'stdio', command: 'npx', args: ['-y'], env: { A: '1' } },
    { name: 'web', transport: 'streamable-http', url: 'https://x', headers: { H: 'v' } },
    { name: 'old', transport: 'sse', url: 'https://y' },
  ])
  expect(claude.native).toEqual({ mcpServers: { files: { disabled: true }, strange: { socket: '/tmp/s' } } })

  await put(
    codexFile(),
    '[mcp_servers.files]\ncommand = "npx"\nstartup_timeout_sec = 9\n[mcp_servers.web]\nurl = "https://x"\nhttp_headers = { H = "v" }\n',
  )
  const codex = await readAgentConfig(CODEX, host())
  expect(codex.mcpServers).toEqual([
    { name: 'files', transport: 'stdio', command: 'npx' },
    { name: 'web', transport: 'streamable-http', url: 'https://x', headers: { H: 'v' } },
  ])
  expect(codex.native).toEqual({ mcp_servers: { files: { startup_timeout_sec: 9 } } })
})

test('a file that does not parse is named with its place, and no write touches it', async () => {
  for (const [schema, path, content] of [
    [CLAUDE, claudeFile(), '{\n  "model": "a"\n  "b": 1\n}'],
    [CODEX, codexFile(), 'model = "a"\nmodel = \n'],
    [CLAUDE, claudeFile(), '[1]'],
  ] as const) {
    await put(path, content)
    const expected = { code: 'CONFIG_ERROR', message: expect.stringContaining(path) }
    await expect(readAgentConfig(schema, host())).rejects.toMatchObject(expected)
    await expect(writeAgentConfig(schema, { model: 'x' }, host())).rejects.toMatchObject(expected)
    expect(await text(path)).toBe(content)
    expect(await readdir(dirname(path))).toHaveLength(1)
  }
  await put(codexFile(), 'model = "a"\nmodel = \n')
  await expect(readAgentConfig(CODEX, host())).rejects.toMatchObject({
    message: expect.stringContaining('config.toml:2:'),
  })
})

test('bytes that are not UTF-8 are refused and kept', async () => {
  await put(claudeFile(), '')
  const bytes = Buffer.from([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0x22, 0x7d])
  await writeFile(claudeFile(), bytes)
  await expect(writeAgentConfig(CLAUDE, { model: 'x' }, host())).rejects.toMatchObject({ code: 'CONFIG_ERROR' })
  expect(await readFile(claudeFile())).toEqual(bytes)
})

test('writes what is mentioned and keeps every other byte', async () => {
  const json = '{\n  // mine\n  "model": "a", // keep\n  "odd":   [1,2],\n  "env": { "A": "1" }\n}\n'
  await put(claudeFile(), json)
  await writeAgentConfig(
    CLAUDE,
    { model: 'b', approvalMode: undefined, env: { B: '2' }, native: { odd: [1, 2] } },
    host(),
  )
  expect(await text(claudeFile())).toBe(json.replace('"a"', '"b"').replace('"1" }', '"1", "B": "2" }'))

  const toml = "# mine\nmodel = 'a' # keep\n\n[tui]\ntheme = 'x'\n"
  await put(codexFile(), toml)
  await writeAgentConfig(CODEX, { model: 'b', native: { tui: { theme: 'x', sound: false } } }, host())
  expect(await text(codexFile())).toBe(toml.replace("'a'", '"b"').replace("'x'", "'x'\nsound = false"))
})

test('what was read can be written back without changing a byte', async () => {
  const json = '{ "model":"a", "mcpServers": {"f": {"command":"c", "disabled":true}}, "x": {"y": [ 1 ]} } // end'
  await put(claudeFile(), json)
  const before = await stat(claudeFile())
  await writeAgentConfig(CLAUDE, await readAgentConfig(CLAUDE, host()), host())
  expect(await text(claudeFile())).toBe(json)
  expect((await stat(claudeFile())).ino).toBe(before.ino)
})

test('goes to the project file where there is one, else to the user, who may have none yet', async () => {
  await writeAgentConfig(CLAUDE, { model: 'a' }, host(), project)
  expect(await text(claudeFile())).toBe('{\n  "model": "a"\n}\n')
  const own = await put(join(project, '.claude/settings.local.json'), '{}')
  await writeAgentConfig(CLAUDE, { model: 'b' }, host(), project)
  expect(JSON.parse(await text(own))).toEqual({ model: 'b' })
  await writeAgentConfig({ ...CLAUDE, supportsProjectConfig: false }, { model: 'c' }, host(), project)
  expect(JSON.parse(await text(claudeFile()))).toEqual({ model: 'c' })
})

test('a config that mentions nothing makes no file', async () => {
  await writeAgentConfig(CLAUDE, { agent: 'claude', filePaths: ['x'], model: undefined }, host())
  expect(await readdir(home)).toEqual([])
})

test('a setting the agent does not have is refused, not dropped', async () => {
  await expect(writeAgentConfig(CODEX, { temperature: 1 }, host())).rejects.toMatchObject({
    code: 'CONFIG_ERROR',
    message: 'codex has no setting for temperature',
  })
})

test('writes the list of MCP servers and keeps what it does not know', async () => {
  const toml = `[mcp_servers.a] # one
command = "old"
startup_timeout_sec = 9

[mcp_servers.b]
command = "b"

[mcp_servers.c]
socket = "/tmp/s"
`
  await put(codexFile(), toml)
  const servers = [
    { name: 'a', command: 'new', args: ['x'] },
    { name: 'd', transport: 'streamable-http' as const, url: 'https://d', headers: { H: 'v' } },
  ]
  await writeAgentConfig(CODEX, { mcpServers: servers }, host())
  expect(await text(codexFile())).toBe(`[mcp_servers.a] # one
command = "new"
startup_timeout_sec = 9
args = ["x"]

[mcp_servers.c]
socket = "/tmp/s"

[mcp_servers.d]
url = "https://d"
http_headers = { H = "v" }
`)
  await put(claudeFile(), '{"mcpServers":{"a":{"type":"stdio","command":"c","env":{}}}}')
  await writeAgentConfig(CLAUDE, { mcpServers: [{ name: 'a', transport: 'sse', url: 'https://a' }] }, host())
  expect(JSON.parse(await text(claudeFile()))).toEqual({ mcpServers: { a: { type: 'sse', url: 'https://a' } } })
})

test('a server removed from a config that was read and written back is gone', async () => {
  await put(claudeFile(), '{"mcpServers":{"a":{"command":"c","disabled":true},"b":{"command":"d"}}}')
  const config = await readAgentConfig(CLAUDE, host())
  await writeAgentConfig(
    CLAUDE,
    { ...config, mcpServers: config.mcpServers?.filter(({ name }) => name !== 'a') },
    host(),
  )
  expect(JSON.parse(await text(claudeFile()))).toEqual({ mcpServers: { b: { command: 'd' } } })
})

test('a symlinked config stays a link', async () => {
  const real = await put(join(home, 'dotfiles/claude.json'), '{ "x": 1 } // c')
  await mkdir(dirname(claudeFile()))
  await symlink('../dotfiles/claude.json', claudeFile())
  await writeAgentConfig(CLAUDE, { model: 'a' }, host())
  expect(await text(real)).toBe('{ "x": 1, "model": "a" } // c')
  expect((await lstat(claudeFile())).isSymbolicLink()).toBe(true)
  expect(await readdir(join(home, 'dotfiles'))).toEqual(['claude.json'])
})

test('concurrent writers all land, and nothing is left behind', async () => {
  await put(claudeFile(), '{\n  // c\n}\n')
  const keys = Array.from({ length: 12 }, (_, index) => `k${index}`)
  await Promise.all(keys.map((key) => writeAgentConfig(CLAUDE, { native: { [key]: 1 } }, host())))
  expect((await readAgentConfig(CLAUDE, host())).native).toEqual(Object.fromEntries(keys.map((key) => [key, 1])))
  expect(await text(claudeFile())).toContain('// c')
  expect(await readdir(dirname(claudeFile()))).toEqual(['settings.json'])
})

test('two names of one file share its lock', async () => {
  const real = await put(join(home, 'dotfiles/claude.json'), '{}')
  await mkdir(dirname(claudeFile()))
  await symlink(real, claudeFile())
  const direct = { ...CLAUDE, configFilePaths: ['~/dotfiles/claude.json'] }
  const keys = Array.from({ length: 10 }, (_, index) => `k${index}`)
  await Promise.all(
    keys.map((key, index) => writeAgentConfig(index % 2 ? CLAUDE : direct, { native: { [key]: 1 } }, host())),
  )
  expect(Object.keys(JSON.parse(await text(real))).sort()).toEqual(keys)
})
