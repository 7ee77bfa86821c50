import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { recipes } from '../src/adapters/recipes.ts'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')

interface Locked {
  version?: string
  integrity?: string
  resolved?: string
  link?: boolean
  inBundle?: boolean
  hasInstallScript?: boolean
  optional?: boolean
  os?: string[]
  cpu?: string[]
  libc?: string[]
}

const packagesOf = (path: string): [string, Locked][] => {
  const { packages }: { packages: Record<string, Locked> } = JSON.parse(read(path))
  // `empty` is ours: it stands in for what a CLI has in its own bundle already.
  const isOurs = (name: string) => !name.startsWith('node_modules/') || name.endsWith('/empty')
  return Object.entries(packages).filter(([name, { link }]) => !isOurs(name) && !link)
}

/** The one that the lock files are made on. */
function isPinnedPlatform({ os, cpu, libc }: Locked): boolean {
  return (!os || os.includes('linux')) && (!cpu || cpu.includes('x64')) && !libc?.includes('musl')
}

test('we run nothing when we are installed', () => {
  const { scripts }: { scripts: Record<string, string> } = JSON.parse(read('package.json'))
  const atInstall = ['preinstall', 'install', 'postinstall', 'prepublish', 'preprepare', 'prepare', 'postprepare']
  expect(atInstall.filter((name) => name in scripts)).toEqual([])
})

const locks = ['package-lock.json', ...readdirSync(join(ROOT, 'data/locks')).map((name) => `data/locks/${name}`)]
const isFromPypi = (path: string) => path.endsWith('.txt')

test.each(locks.filter(isFromPypi))('%s has a hash for every package, and names no host', (path) => {
  for (const row of read(path).trim().split('\n'))
    expect(row).toMatch(/^[\w.-]+==[\w.+!-]+ --hash=sha256:[0-9a-f]{64}$/)
})

describe.each(locks.filter((path) => !isFromPypi(path)))('%s', (path) => {
  test('has a hash for every package, and names no host', () => {
    const packages = packagesOf(path)
    expect(packages.length).toBeGreaterThan(0)
    // What is inside of another package is covered by the hash of that one.
    const withoutHash = packages.filter(([, { integrity, inBundle }]) => !inBundle && !integrity?.startsWith('sha512-'))
    // scripts/platform-packages.mjs: binaries for other platforms, which the mirror that we locked from did not have.
    const explained = withoutHash.filter(([, one]) => one.optional && (one.os || one.cpu) && !isPinnedPlatform(one))
    expect(withoutHash.filter((one) => !explained.includes(one)).map(([name]) => name)).toEqual([])
    expect(packages.filter(([, { resolved }]) => resolved !== undefined).map(([name]) => name)).toEqual([])
  })
})

test('a dependency that wants to run code when it is installed is known to us', () => {
  const wanting = packagesOf('package-lock.json').filter(([, { hasInstallScript }]) => hasInstallScript)
  // It only builds what it could not find ready-made, and is optional.
  expect(wanting.map(([name]) => name)).toEqual(['node_modules/@photostructure/sqlite'])
})

describe('SECURITY.md', () => {
  const text = read('SECURITY.md')
  const rows = text.split('\n').filter((line) => /^\| (?!who |---)/.test(line))
  const testsIn = (part: string) =>
    [...part.matchAll(/`((?:src|test)\/[\w./-]+\.test\.ts)`/g)].map(([, path]) => path ?? '')

  test('says of everybody with what they are trusted, and every row has its test', () => {
    const who = rows.map((row) => row.split('|')[1]?.trim())
    for (const one of ['user', 'repository', 'agent', 'model', 'Another local user', 'page in the browser', 'remote']) {
      expect(who.some((name) => name?.includes(one))).toBe(true)
    }
    for (const row of rows) expect(testsIn(row.split('|')[4] ?? ''), row).not.toEqual([])
  })

  test('names tests that there are', () => {
    expect(testsIn(text).filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
  })

  test('names every CLI whose install runs a script', () => {
    const scripts = Object.values(recipes).flatMap((recipe) =>
      'setupScript' in recipe ? (recipe.setupScript ?? []) : [],
    )
    expect(scripts.length).toBeGreaterThan(0)
    for (const script of scripts) expect(text).toContain(script)
  })
})
