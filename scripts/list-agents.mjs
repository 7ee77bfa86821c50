// `npm run agents`: writes the lists of agents from the folders in src/adapters. A folder with a manifest.ts is an agent;
// its other files say what else is known of it. `--check` only compares, and fails when a list is out of date.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const src = fileURLToPath(new URL('../src/', import.meta.url))
const agents = readdirSync(join(src, 'adapters'))
  .filter((name) => existsSync(join(src, 'adapters', name, 'manifest.ts')))
  .sort()

const having = (file) => agents.filter((agent) => existsSync(join(src, 'adapters', agent, `${file}.ts`)))
const key = (agent) => (/^[a-z]+$/.test(agent) ? agent : `'${agent}'`)
// `continue` is a word of the language.
const name = (agent) => (agent === 'continue' ? 'continueCli' : agent.replace(/-./g, (dash) => dash[1].toUpperCase()))
const className = (agent) => agent.replace(/(^|-)./g, (start) => start.at(-1).toUpperCase())
const lines = (list, line) => list.map(line).join('\n')
// As the formatter sorts imports: parents first, and `opencode/` before `opencode-http/`.
const sortKey = (path) => (path.startsWith('../') ? '' : path.replaceAll('/', '\0'))
const byPath = (a, b) => (sortKey(a) < sortKey(b) ? -1 : 1)
const MARK = '// Written by `npm run agents` from the folders of src/adapters.'

/** A list that imports one constant of each folder. */
function constants(constant, file, type, from, comment) {
  const list = having(file)
  const imports = [from, ...list.map((agent) => `./${agent}/${file}.ts`)].sort(byPath)
  const own = (path) => `import { ${constant} as ${name(path.split('/')[1])} } from '${path}'`
  return `${MARK}
${imports.map((path) => (path === from ? `import type { ${type} } from '${from}'` : own(path))).join('\n')}

/** ${comment} */
export const ${constant}s: Readonly<Record<string, ${type}>> = {
${lines(list, (agent) => (key(agent) === name(agent) ? `  ${agent},` : `  ${key(agent)}: ${name(agent)},`))}
}
`
}

const lists = {
  'contract/built-in-names.ts': `${MARK}

/** Agents that ship with the package. */
export type BuiltInAgentName =
${lines(agents, (agent) => `  | '${agent}'`)}
`,
  'adapters/manifests.ts': `${MARK}
import type { AdapterManifest } from '../contract/manifest.ts'
${lines(agents, (agent) => `import { manifest as ${name(agent)} } from './${agent}/manifest.ts'`)}

/**
 * All of them, because \`run()\` must refuse synchronously what an agent cannot do. In the package this module is one file
 * of data (\`scripts/freeze-manifests.mjs\`): thirty modules would make up half of what importing the library costs.
 */
export const manifests: readonly AdapterManifest[] = [
${lines(agents, (agent) => `  ${name(agent)},`)}
]
`,
  'adapters/classes.ts': `${MARK}
import type { AgentAdapter } from '../contract/adapter.ts'
import type { AdapterHost } from './base.ts'

/** The adapter's class, loaded on first use: manifests are data and always here, code is not. */
type ClassLoader = () => Promise<new (host?: Partial<AdapterHost>) => AgentAdapter>

export const classLoaders: Readonly<Record<string, ClassLoader>> = {
${lines(agents, (agent) => `  ${key(agent)}: async () => (await import('./${agent}/index.ts')).${className(agent)}Adapter,`)}
}
`,
  'adapters/session-readers.ts': `${MARK}
import type { SessionStore } from '../contract/session-store.ts'

/** What reads the conversations of an agent, loaded when there is something to read. */
export const sessionReaders: Readonly<Record<string, () => Promise<SessionStore>>> = {
${lines(having('sessions'), (agent) => `  ${key(agent)}: async () => (await import('./${agent}/sessions.ts')).sessions,`)}
}
`,
  'adapters/recipes.ts': constants(
    'recipe',
    'recipe',
    'InstallRecipe',
    '../contract/install-recipe.ts',
    'How each agent is installed privately.',
  ),
  'adapters/subjects.ts': constants(
    'subject',
    'subject',
    'Subject',
    './kit/subject.ts',
    'What the suite must know of each agent to put it on the scripted server.',
  ),
}

const stale = Object.entries(lists).filter(([path, text]) => {
  const file = join(src, path)
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return false
  if (!process.argv.includes('--check')) writeFileSync(file, text)
  return true
})
for (const [path] of stale) console.log(`src/${path}`)
if (stale.length > 0 && process.argv.includes('--check')) {
  console.error('These lists are out of date: npm run agents')
  process.exitCode = 1
}
