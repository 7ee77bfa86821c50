import { chmod, lstat, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { atomicWrite } from './atomic-write.ts'
import { listFiles } from './list-files.ts'
import { readLines } from './read-lines.ts'

let dir = ''
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'amux-files-'))
})
afterEach(() => rm(dir, { recursive: true, force: true }))

const isRoot = process.getuid?.() === 0

async function put(path: string, content = 'x'): Promise<string> {
  const full = join(dir, path)
  await mkdir(join(full, '..'), { recursive: true })
  await writeFile(full, content)
  return full
}

async function collect(lines: AsyncIterable<string>): Promise<string[]> {
  const all: string[] = []
  for await (const line of lines) all.push(line)
  return all
}

test('lists accepted files of all depths, absolute and sorted', async () => {
  for (const path of ['b.jsonl', 'a/z.jsonl', 'a/b/c.jsonl', 'a/skip.txt']) await put(path)
  const seen: string[] = []
  const files = await listFiles(dir, (path) => {
    seen.push(path)
    return path.endsWith('.jsonl')
  })
  expect(files).toEqual([join(dir, 'a/b/c.jsonl'), join(dir, 'a/z.jsonl'), join(dir, 'b.jsonl')])
  expect(seen.sort()).toEqual(['a/b/c.jsonl', 'a/skip.txt', 'a/z.jsonl', 'b.jsonl'])
})

test('a missing directory, and a file in place of one, are empty', async () => {
  expect(await listFiles(join(dir, 'none'), () => true)).toEqual([])
  expect(await listFiles(await put('file'), () => true)).toEqual([])
})

test.skipIf(isRoot)('an unreadable directory is empty and does not hide its neighbours', async () => {
  await put('closed/a')
  const open = await put('open/b')
  await chmod(join(dir, 'closed'), 0)
  expect(await listFiles(dir, () => true)).toEqual([open])
  expect(await listFiles(join(dir, 'closed'), () => true)).toEqual([])
  await chmod(join(dir, 'closed'), 0o700)
})

test('linked folders are visited once, loops and links upwards not at all', async () => {
  await put('root/a/file')
  await put('elsewhere/other')
  await symlink('..', join(dir, 'root/a/up'))
  await symlink(dir, join(dir, 'root/above'))
  await symlink('a', join(dir, 'root/again'))
  await symlink(join(dir, 'elsewhere'), join(dir, 'root/linked'))
  await symlink(join(dir, 'elsewhere/other'), join(dir, 'root/link'))
  await symlink('nowhere', join(dir, 'root/dangling'))
  const files = await listFiles(join(dir, 'root'), () => true)
  expect(files).toEqual(['a/file', 'link', 'linked/other'].map((path) => join(dir, 'root', path)))
})

test('reads lines at LF only, with the unfinished last one', async () => {
  const path = await put('t.jsonl', '{"a":"\u2028"}\r\nb\rc\n\nlast')
  expect(await collect(readLines(path))).toEqual(['{"a":"\u2028"}', 'b\rc', '', 'last'])
  expect(await collect(readLines(await put('empty', '')))).toEqual([])
  expect(await collect(readLines(await put('ended', 'a\n')))).toEqual(['a'])
})

test('a character across two chunks stays whole, and reading can stop early', async () => {
  const long = `x${'é'.repeat(100_000)}`
  const path = await put('big', `${long}\nsecond\n`)
  expect(await collect(readLines(path))).toEqual([long, 'second'])
  for await (const line of readLines(path)) {
    expect(line).toBe(long)
    break
  }
})

test('a missing file throws', async () => {
  await expect(collect(readLines(join(dir, 'none')))).rejects.toMatchObject({ code: 'ENOENT' })
})

test('replaces the content, keeps the mode and leaves nothing behind', async () => {
  const path = await put('f', 'old')
  await chmod(path, 0o640)
  await atomicWrite(path, 'new')
  expect(await readFile(path, 'utf8')).toBe('new')
  expect((await stat(path)).mode & 0o777).toBe(0o640)
  expect(await readdir(dir)).toEqual(['f'])
})

test('a new file is private unless told otherwise', async () => {
  await atomicWrite(join(dir, 'a'), 'x')
  await atomicWrite(join(dir, 'b'), 'x', { mode: 0o644 })
  expect((await stat(join(dir, 'a'))).mode & 0o777).toBe(0o600)
  expect((await stat(join(dir, 'b'))).mode & 0o777).toBe(0o644)
})

test('writes through links, also dangling ones and those in a linked folder', async () => {
  const real = await put('dotfiles/deep/settings', 'old')
  await symlink('dotfiles/deep', join(dir, 'config'))
  await symlink('../settings2', join(dir, 'dotfiles/deep/dangling'))
  await symlink(join(dir, 'config/settings'), join(dir, 'link'))
  await atomicWrite(join(dir, 'link'), 'new')
  await atomicWrite(join(dir, 'config/dangling'), 'made')
  expect((await lstat(join(dir, 'link'))).isSymbolicLink()).toBe(true)
  expect(await readFile(real, 'utf8')).toBe('new')
  expect(await readFile(join(dir, 'dotfiles/settings2'), 'utf8')).toBe('made')
})

test('a link to itself is an error, not a hang', async () => {
  await symlink('loop', join(dir, 'loop'))
  await expect(atomicWrite(join(dir, 'loop'), 'x')).rejects.toThrow('symbolic links')
})

test('a failed write removes its temporary file and leaves the target alone', async () => {
  await mkdir(join(dir, 'target'))
  await expect(atomicWrite(join(dir, 'target'), 'x')).rejects.toThrow()
  expect(await readdir(dir)).toEqual(['target'])
  expect((await stat(join(dir, 'target'))).isDirectory()).toBe(true)
})

test.skipIf(isRoot)('a write-protected file stays as it is', async () => {
  const path = await put('f', 'old')
  await chmod(path, 0o444)
  await expect(atomicWrite(path, 'new')).rejects.toMatchObject({ code: 'EACCES' })
  expect(await readFile(path, 'utf8')).toBe('old')
})
