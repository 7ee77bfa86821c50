import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildCli } from './support/built-cli.ts'

const scratch = mkdtempSync(join(tmpdir(), 'amux compiled ü '))
let cli = ''

beforeAll(() => {
  cli = buildCli(scratch).cli
}, 240_000)

afterAll(() => rmSync(scratch, { recursive: true, force: true }))

/** `amux run --help` loads what a run does, and starts no agent. */
function help(cache: string, env: NodeJS.ProcessEnv = {}) {
  return spawnSync(process.execPath, [cli, 'run', '--help'], {
    env: { PATH: process.env.PATH, HOME: join(scratch, 'home'), XDG_CACHE_HOME: cache, ...env },
    encoding: 'utf8',
  })
}

function compiledIn(cache: string): string[] {
  const root = join(cache, 'agent-mux', 'programs')
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((name) => join(root, name))
    .filter((path) => statSync(path).isFile())
}

test('what is compiled is kept, for this user alone, and not written a second time', () => {
  const cache = join(scratch, 'kept')
  expect(help(cache)).toMatchObject({ status: 0, stderr: '' })
  const first = compiledIn(cache).map((path) => [path, statSync(path).mtimeMs, statSync(path).mode & 0o777])
  expect(first.length).toBeGreaterThan(2)
  expect(first.every(([, , mode]) => mode === 0o600)).toBe(true)
  expect(help(cache)).toMatchObject({ status: 0, stderr: '' })
  expect(compiledIn(cache).map((path) => [path, statSync(path).mtimeMs, statSync(path).mode & 0o777])).toEqual(first)
})

test('a damaged file is replaced; V8 alone would crash', () => {
  const cache = join(scratch, 'damaged')
  const whole = help(cache).stdout
  for (const path of compiledIn(cache)) {
    const content = readFileSync(path)
    content.fill(0x58, Math.min(300, content.length >> 1), content.length >> 1)
    writeFileSync(path, content)
  }
  expect(help(cache)).toMatchObject({ status: 0, stderr: '', stdout: whole })
  expect(compiledIn(cache).some((path) => readFileSync(path).includes('X'.repeat(200)))).toBe(false)
})

test('what others could have written is not run', () => {
  const cache = join(scratch, 'shared')
  help(cache)
  const places = new Set(compiledIn(cache).map((path) => join(path, '..')))
  for (const place of places) chmodSync(place, 0o777)
  const before = compiledIn(cache)
  for (const path of before) writeFileSync(path, 'not ours')
  expect(help(cache)).toMatchObject({ status: 0, stderr: '' })
  expect(before.map((path) => readFileSync(path, 'utf8'))).toEqual(before.map(() => 'not ours'))
})

test('without a cache directory, or with the cache off, it works as well', () => {
  const file = join(scratch, 'a file')
  writeFileSync(file, '')
  expect(help(file)).toMatchObject({ status: 0, stderr: '' })
  const off = join(scratch, 'off')
  mkdirSync(off)
  expect(help(off, { NODE_DISABLE_COMPILE_CACHE: '1' })).toMatchObject({ status: 0, stderr: '' })
  expect(readdirSync(off)).toEqual([])
})

test('packages are imported by code that was compiled in another process, and nothing is printed about it', () => {
  const cache = join(scratch, 'imports')
  const list = () =>
    spawnSync(process.execPath, [cli, 'sessions', 'list'], {
      env: { PATH: process.env.PATH, HOME: join(scratch, 'home'), XDG_CACHE_HOME: cache },
      encoding: 'utf8',
    })
  const first = list()
  expect(first).toMatchObject({ status: 0 })
  expect(first.stderr).not.toContain('Warning')
  expect(list()).toMatchObject({ status: 0, stdout: first.stdout, stderr: first.stderr })
})

test('the programs are strict, as modules are', () => {
  const programs = join(cli, '../../dist/programs')
  const files = readdirSync(programs).filter((name) => name.endsWith('.js'))
  const isStrict = (name: string) => readFileSync(join(programs, name), 'utf8').startsWith('"use strict"')
  expect(files.filter((name) => !isStrict(name))).toEqual([])
})
