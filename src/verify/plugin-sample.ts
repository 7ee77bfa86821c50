import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const MARKETPLACE = 'amux-market'
const ABOUT = { name: 'hello', version: '1.0.0', description: 'Says hello' }

/** A marketplace with one plugin, which has what each of the agents looks for. */
const FILES: Readonly<Record<string, object | string>> = {
  '.claude-plugin/marketplace.json': {
    name: MARKETPLACE,
    owner: { name: 'agent-mux' },
    plugins: [{ ...ABOUT, source: './hello' }],
  },
  'hello/.claude-plugin/plugin.json': { ...ABOUT, author: { name: 'agent-mux' } },
  'hello/commands/hello.md': '---\ndescription: says hello\n---\nSay hello.\n',
  'hello/gemini-extension.json': ABOUT,
  'hello/qwen-extension.json': ABOUT,
  'hello/openclaw.plugin.json': { ...ABOUT, id: 'hello', configSchema: { type: 'object', properties: {} } },
  'hello/package.json': {
    ...ABOUT,
    type: 'module',
    main: './opencode.js',
    pi: { extensions: ['./pi.js'] },
    openclaw: { extensions: ['./openclaw.js'] },
  },
  'hello/opencode.js': 'export const Hello = async () => ({})\n',
  'hello/pi.js': 'export default () => {}\n',
  'hello/openclaw.js': 'export default { id: "hello", register() {} }\n',
}

/** How agents get to know a marketplace; the others install from a folder. */
const MARKETPLACE_ARGS: Readonly<Record<string, readonly string[]>> = {
  claude: ['plugin', 'marketplace', 'add'],
  codex: ['plugin', 'marketplace', 'add'],
  copilot: ['plugin', 'marketplace', 'add'],
  droid: ['plugin', 'marketplace', 'add'],
  grok: ['plugin', 'marketplace', 'add'],
  omp: ['plugin', 'marketplace', 'add'],
  qoder: ['plugins', 'marketplace', 'add'],
}

export interface PluginSample {
  /** To be run before. */
  setUp: readonly string[] | null
  source: string
}

/** Writes a plugin that needs no network, and returns how this agent installs it. */
export function writePluginSample(agent: string, home: string): PluginSample {
  const directory = join(home, MARKETPLACE)
  for (const [path, content] of Object.entries(FILES)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true })
    writeFileSync(join(directory, path), typeof content === 'string' ? content : JSON.stringify(content))
  }
  const setUp = MARKETPLACE_ARGS[agent]
  return setUp
    ? { setUp: [...setUp, directory], source: `hello@${MARKETPLACE}` }
    : { setUp: null, source: join(directory, 'hello') }
}
