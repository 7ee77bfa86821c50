import { readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

/**
 * Who may import whom is the "may import" column of the folder table in docs/ARCHITECTURE.md, and nothing else. This test
 * reads that table, so the page cannot go stale: an import that it does not allow fails, and so does a permission that
 * no file needs any more.
 */
const root = fileURLToPath(new URL('..', import.meta.url))
const IMPORT = /(?:^|\s)(?:from|import)\s*\(?\s*'(\.[^']+|node:[^']+)'/gm

const SHARED = ['families', 'kit']

interface Rule {
  folder: string
  mayImport: string[]
}

const rules = readRules(readFileSync(posix.join(root, 'docs', 'ARCHITECTURE.md'), 'utf8'))
const files = readdirSync(posix.join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .map((name) => posix.join('src', name.replaceAll('\\', '/')))
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.includes('/fixtures/'))
const imports = files.flatMap((file) => importsOf(file))

function readRules(page: string): Rule[] {
  const rows = page.split('\n').filter((line) => line.startsWith('| `src'))
  return rows.map((row) => {
    const [folder = '', , permissions = ''] = row.split('|').slice(1, -1)
    return { folder: folder.trim().replaceAll('`', ''), mayImport: permissions.split(',').map((name) => name.trim()) }
  })
}

/** `kit` and `families` are what agents share; every other folder below `src/adapters` is one agent. */
function folderOf(file: string): string {
  const [, folder = '', agent = '', ...rest] = file.split('/')
  if (agent === '') return 'src'
  if (folder !== 'adapters' || rest.length === 0) return `src/${folder}`
  return SHARED.includes(agent) ? `src/adapters/${agent}` : 'src/adapters/<agent>'
}

function importsOf(file: string): { file: string; target: string; from: string; to: string }[] {
  const from = folderOf(file)
  const targets = [...readFileSync(posix.join(root, file), 'utf8').matchAll(IMPORT)].map(([, name = '']) => name)
  return targets.flatMap((target) => {
    if (target.startsWith('node:')) return [{ file, target, from, to: 'node' }]
    const path = posix.join(posix.dirname(file), target)
    const to = folderOf(path)
    const isSameFolder = from === 'src/adapters/<agent>' ? path.split('/')[2] === file.split('/')[2] : to === from
    return to === from && isSameFolder ? [] : [{ file, target, from, to: to.replace('src/', '') }]
  })
}

test('every folder of src has a row, and every row a folder', () => {
  expect(rules.map(({ folder }) => folder).sort()).toEqual([...new Set(files.map(folderOf))].sort())
})

test('a file imports only what the row of its folder allows', () => {
  const allowed = new Map(rules.map(({ folder, mayImport }) => [folder, mayImport]))
  const forbidden = imports.filter(({ from, to }) => !allowed.get(from)?.includes(to))
  expect(forbidden.map(({ file, target }) => `${file} imports ${target}`)).toEqual([])
})

test('no row allows more than its folder needs', () => {
  const used = new Set(imports.map(({ from, to }) => `${from} → ${to}`))
  const permissions = rules.flatMap(({ folder, mayImport }) => mayImport.map((name) => `${folder} → ${name}`))
  expect(permissions.filter((one) => !used.has(one) && !one.endsWith('nothing'))).toEqual([])
})

test('only src/process/signal.ts sends a signal: 0 and -1 mean more than one process', () => {
  const asking = ['src/files/lock.ts', 'src/process/identity.ts'] // signal 0: whether it lives
  const senders = files.filter((file) => /\bprocess\.kill\(/.test(readFileSync(posix.join(root, file), 'utf8')))
  expect(senders.filter((file) => !asking.includes(file))).toEqual(['src/process/signal.ts'])
})

/** What starts programs of its own: ours (runner, daemon, guard, npm), git, a notifier, and the tests of adapters. */
const STARTS_OWN_PROGRAMS = [
  ...[
    'process/launcher',
    'process/here',
    'process/guard',
    'process/identity',
    'runner/start',
    'connect/start',
    'toolchain/steps',
  ],
  ...['workspaces/git', 'daemon/notify/program', 'scripted/tiny-mcp', 'verify/'],
]

test('agents and their tools are started by a place, so that another place needs no other code', () => {
  const starters = imports.filter(({ target }) => target === 'node:child_process').map(({ file }) => file)
  const isOwn = (file: string) => STARTS_OWN_PROGRAMS.some((name) => file.startsWith(`src/${name}`))
  expect(starters.filter((file) => !isOwn(file))).toEqual([])
})
