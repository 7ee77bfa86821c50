// Writes docs/api.md: every name that a user can import, with its type and its doc. `npm run api`; a test compares the
// page with the types, so a change of the public surface shows in the diff.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { API, SymbolFlags, TypeFlags } from 'typescript/unstable/sync'

const root = fileURLToPath(new URL('..', import.meta.url))
const NO_TRUNCATION = 1
const KINDS = [
  [SymbolFlags.Class, 'class'],
  [SymbolFlags.Function, 'function'],
  [SymbolFlags.Variable, 'const'],
  [SymbolFlags.Interface, 'interface'],
  [SymbolFlags.TypeAlias, 'type'],
]

/** The entry points of package.json by their specifiers; `./adapters/*` is one name for each agent, listed elsewhere. */
function entryPoints() {
  const { name, exports } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'))
  return Object.entries(exports)
    .filter(([path, { types }]) => types && !path.includes('*'))
    .map(([path, { types }]) => ({
      specifier: name + path.slice(1),
      file: types.replace('./dist/', 'src/').replace('.d.ts', '.ts'),
    }))
}

/** Every entry point with its exports: `{ specifier, names: [{ name, kind, doc, shape }] }`. */
export function publicSurface() {
  const api = new API({ cwd: root })
  try {
    const config = `${root}tsconfig.build.json`
    const project = api.updateSnapshot({ openProjects: [config] }).getProject(config)
    if (!project) throw new Error('No project')
    return entryPoints().map(({ specifier, file }) => {
      const module = project.checker.getSymbolAtLocation(project.program.getSourceFile(root + file))
      const names = project.checker.getExportsOfModule(module).map((symbol) => describe(project.checker, symbol))
      return { specifier, names: withNames(names.sort((a, b) => (a.name < b.name ? -1 : 1))) }
    })
  } finally {
    api.close()
  }
}

/**
 * A type of the entry point that the compiler spells out inside another one is named there.
 * @param {ReturnType<typeof describe>[]} names
 */
function withNames(names) {
  const spelled = names
    .filter(({ kind, isOneLine }) => kind === 'type' && !isOneLine)
    .map(({ name, shape }) => [`{ ${shape.join('; ')}; }`, name])
    .sort(([a], [b]) => b.length - a.length)
  const named = (line) => spelled.reduce((text, [long, name]) => text.replaceAll(long, name), line)
  return names.map((one) => ({ ...one, shape: one.shape.map(named) }))
}

function describe(checker, exported) {
  const symbol = exported.flags & SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported
  const kind = KINDS.find(([flag]) => symbol.flags & flag)?.[1] ?? 'const'
  const [doc = ''] = symbol.getDocumentationComment(checker).split(/\n\s*\n/)
  return { name: exported.name, kind, doc: doc.replace(/\s+/g, ' ').trim(), ...shapeOf(checker, symbol, kind) }
}

function shapeOf(checker, symbol, kind) {
  // A name that the entry point does not export is printed with the path of its file, which is that of this machine.
  const print = (type) => checker.typeToString(type, undefined, NO_TRUNCATION).replace(/import\("[^"]*"\)\./g, '')
  if (kind === 'const' || kind === 'function')
    return { isOneLine: true, shape: [print(checker.getTypeOfSymbol(symbol))] }
  const type = checker.getDeclaredTypeOfSymbol(symbol)
  const members = checker.getPropertiesOfType(type).filter(({ name }) => isWritable(name))
  const isUnion = type.isUnionType()
  const isOpen = type.flags & (TypeFlags.IndexedAccess | TypeFlags.Conditional) // its members depend on a parameter
  if (kind === 'type' && (members.length === 0 || isUnion || isOpen)) {
    const of = isUnion ? [...new Set(type.getTypes().map(print))] : [print(type)]
    return { isOneLine: true, shape: [of.join(' | ')] }
  }
  const line = (member) => {
    const mark = member.flags & SymbolFlags.Optional ? '?' : ''
    return `${member.name}${mark}: ${print(checker.getTypeOfSymbol(member))}`
  }
  const statics = kind === 'class' ? staticMembers(checker, symbol).map((member) => `static ${line(member)}`) : []
  return { isOneLine: false, shape: [...statics, ...members.map(line)] }
}

/** What the class itself has, such as `DaemonClient.connect`; Node's own statics of errors are left out. */
function staticMembers(checker, symbol) {
  const members = checker.getPropertiesOfType(checker.getTypeOfSymbol(symbol))
  return members.filter(({ name }) => name !== 'prototype' && isWritable(name) && !OF_NODE.has(name))
}

const OF_NODE = new Set(['captureStackTrace', 'isError', 'prepareStackTrace', 'stackTraceLimit'])
const isWritable = (name) => /^[\w$]+$/.test(name)

const OPEN = {
  class: (name) => `class ${name} {`,
  interface: (name) => `interface ${name} {`,
  type: (name) => `type ${name} = {`,
}

function listing({ name, kind, doc, shape, isOneLine }) {
  const above = doc === '' ? [] : [`/** ${doc} */`]
  if (isOneLine) return [...above, `${kind} ${name}${kind === 'type' ? ' =' : ':'} ${shape.join('')}`]
  return [...above, OPEN[kind](name), ...shape.map((line) => `  ${line}`), '}']
}

/** The whole page. */
export function apiReport(surface = publicSurface()) {
  const parts = surface.flatMap(({ specifier, names }) => [
    `## \`${specifier}\` (${names.length})`,
    `\`\`\`ts\n${names.map((one) => listing(one).join('\n')).join('\n\n')}\n\`\`\``,
  ])
  const intro =
    'Every name that can be imported, with its members and types. Generated by `npm run api` from the types; do not edit.'
  return `# API\n\n${intro}\n\n${parts.join('\n\n')}\n`
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  writeFileSync(new URL('../docs/api.md', import.meta.url), apiReport())
}
