import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { plainGit as git } from '../../test/support/git.ts'
import { isAgentMuxError } from '../contract/errors.ts'
import { canRemake, remakeWorktree } from './remake.ts'
import { createWorktree, leftoverWorktrees, removeWorktree } from './worktree.ts'

let repository: string
let dataDir: string

beforeEach(() => {
  const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'agent-mux-worktree-')))
  onTestFinished(() => rmSync(scratch, { recursive: true, force: true }))
  repository = join(scratch, 'project')
  dataDir = join(scratch, 'data')
  mkdirSync(join(repository, 'src'), { recursive: true })
  git(repository, 'init', '-q', '-b', 'main')
  // Whatever else the user has set: the tests look at bytes.
  git(repository, 'config', 'core.autocrlf', 'false')
  writeFileSync(join(repository, 'src/a.txt'), 'one\n')
  writeFileSync(join(repository, '.gitignore'), 'ignored\n')
  git(repository, 'add', '.')
  git(repository, 'commit', '-qm', 'first')
})

const make = (sessionId: string, cwd = repository) => createWorktree({ cwd, sessionId, dataDir })

test('an agent gets its own branch and directory, and starts in the same subdirectory as the user', async () => {
  const worktree = await make('abc', join(repository, 'src'))
  expect(worktree).toMatchObject({ branch: 'amux/abc', repository, base: git(repository, 'rev-parse', 'HEAD') })
  expect(readFileSync(join(worktree.path, 'a.txt'), 'utf8')).toBe('one\n')
  expect(git(worktree.path, 'branch', '--show-current')).toBe('amux/abc')
  expect(git(repository, 'branch', '--show-current'), 'the user stays where they were').toBe('main')
})

test('an unused worktree goes without a trace', async () => {
  const worktree = await make('abc')
  expect(await removeWorktree(worktree, 'abc')).toBeNull()
  expect(existsSync(worktree.root)).toBe(false)
  expect(git(repository, 'branch', '--list', 'amux/*')).toBe('')
  expect(git(repository, 'worktree', 'list').split('\n')).toHaveLength(1)
})

test('all work survives: commits on the branch, the rest on a ref of its own', async () => {
  const worktree = await make('abc')
  writeFileSync(join(worktree.root, 'committed'), 'c\n')
  git(worktree.root, 'add', 'committed')
  git(worktree.root, 'commit', '-qm', 'work')
  writeFileSync(join(worktree.root, 'src/a.txt'), 'changed\n')
  writeFileSync(join(worktree.root, 'untracked'), 'u\n')
  writeFileSync(join(worktree.root, 'staged'), 's\n')
  git(worktree.root, 'add', 'staged')
  writeFileSync(join(worktree.root, 'ignored'), 'i\n')

  expect(await removeWorktree(worktree, 'abc')).toBe('refs/amux-kept/abc')
  expect(existsSync(worktree.root)).toBe(false)
  expect(git(repository, 'show', 'amux/abc:committed')).toBe('c')
  expect(git(repository, 'show', 'refs/amux-kept/abc:src/a.txt')).toBe('changed')
  expect(git(repository, 'show', 'refs/amux-kept/abc:untracked')).toBe('u')
  expect(git(repository, 'show', 'refs/amux-kept/abc:staged')).toBe('s')
  expect(git(repository, 'rev-parse', 'refs/amux-kept/abc^')).toBe(git(repository, 'rev-parse', 'amux/abc'))
})

test('commits that are on no branch are kept, too', async () => {
  const worktree = await make('abc')
  git(worktree.root, 'checkout', '-q', '--detach')
  writeFileSync(join(worktree.root, 'found'), 'f\n')
  git(worktree.root, 'add', 'found')
  git(worktree.root, 'commit', '-qm', 'found')
  expect(await removeWorktree(worktree, 'abc')).toBe('refs/amux-kept/abc')
  expect(git(repository, 'show', 'refs/amux-kept/abc:found')).toBe('f')
})

test('a worktree that somebody removed by hand is forgotten, its commits are not', async () => {
  const worktree = await make('abc')
  git(worktree.root, 'commit', '-q', '--allow-empty', '-m', 'work')
  rmSync(worktree.root, { recursive: true })
  expect(await removeWorktree(worktree, 'abc')).toBeNull()
  expect(git(repository, 'log', '-1', '--format=%s', 'amux/abc')).toBe('work')
})

test('one that is gone is made again: on its branch, with the work that was kept aside, as it was', async () => {
  const worktree = await make('abc', join(repository, 'src'))
  writeFileSync(join(worktree.root, 'committed'), 'c\n')
  git(worktree.root, 'add', 'committed')
  git(worktree.root, 'commit', '-qm', 'work')
  writeFileSync(join(worktree.root, 'src/a.txt'), 'changed\n')
  writeFileSync(join(worktree.root, 'untracked'), 'u\n')
  rmSync(join(worktree.root, '.gitignore'))
  await removeWorktree(worktree, 'abc')

  expect(await canRemake(worktree)).toBe(true)
  await remakeWorktree(worktree, 'abc')
  expect(git(worktree.root, 'log', '-1', '--format=%s')).toBe('work')
  expect(git(worktree.root, 'branch', '--show-current')).toBe('amux/abc')
  expect(git(worktree.root, 'status', '--porcelain').split('\n')).toEqual([
    'D .gitignore',
    ' M src/a.txt',
    '?? untracked',
  ])
  expect(readFileSync(join(worktree.path, 'a.txt'), 'utf8')).toBe('changed\n')
  writeFileSync(join(worktree.root, 'later'), 'l\n')
  await remakeWorktree(worktree, 'abc')
  expect(existsSync(join(worktree.root, 'later')), 'one that is there is left alone').toBe(true)
})

test('one that somebody removed by hand is made again from its branch, or from where it began', async () => {
  const worktree = await make('abc')
  git(worktree.root, 'commit', '-q', '--allow-empty', '-m', 'work')
  rmSync(worktree.root, { recursive: true })
  await remakeWorktree(worktree, 'abc')
  expect(git(worktree.root, 'log', '-1', '--format=%s')).toBe('work')
  git(repository, 'worktree', 'remove', worktree.root)
  git(repository, 'branch', '-qD', 'amux/abc')
  await remakeWorktree(worktree, 'abc')
  expect(git(worktree.root, 'rev-parse', 'HEAD')).toBe(worktree.base)
  rmSync(repository, { recursive: true })
  expect(await canRemake(worktree)).toBe(false)
})

test('git refuses what it would have to force, and everything is still there', async () => {
  const worktree = await make('abc')
  git(repository, 'worktree', 'lock', worktree.root)
  writeFileSync(join(worktree.root, 'untracked'), 'u\n')
  await expect(removeWorktree(worktree, 'abc')).rejects.toThrow('locked')
  expect(readFileSync(join(worktree.root, 'untracked'), 'utf8')).toBe('u\n')
})

test('two at once in one repository', async () => {
  const [one, two] = await Promise.all([make('one'), make('two')])
  expect(new Set([one.root, two.root]).size).toBe(2)
})

test('leftovers are those that no session knows', async () => {
  const [one, two] = [await make('one'), await make('two')]
  expect((await leftoverWorktrees(dataDir, [one])).map(({ path }) => path)).toEqual([two.root])
  expect(await leftoverWorktrees(join(dataDir, 'none'), [])).toEqual([])
})

test('a command that we advise can be pasted, whatever the directory is called', async () => {
  const odd = join(dataDir, "it's $HOME")
  const worktree = await createWorktree({ cwd: repository, sessionId: 'abc', dataDir: odd })
  git(repository, 'worktree', 'lock', worktree.root)
  const [leftover] = await leftoverWorktrees(odd, [])
  const refused: unknown = await removeWorktree(worktree, 'abc').catch((error: unknown) => error)
  const hint = isAgentMuxError(refused) ? refused.hint : undefined
  for (const advice of [leftover?.next, hint]) {
    const words = advice?.slice(advice.indexOf('git worktree remove'))
    const pasted = execFileSync('sh', ['-c', `printf '%s\\n' ${words}`], { encoding: 'utf8' })
      .trim()
      .split('\n')
    expect(pasted.filter((word) => word !== '--force')).toEqual(['git', 'worktree', 'remove', worktree.root])
  }
})

test('no repository, no commit, no such base: said in words', async () => {
  await expect(make('abc', tmpdir())).rejects.toThrow('not in a git repository')
  const empty = join(dataDir, 'empty')
  mkdirSync(empty, { recursive: true })
  git(empty, 'init', '-q')
  await expect(make('abc', empty)).rejects.toThrow('HEAD is not a commit')
  await expect(createWorktree({ cwd: repository, base: '--help', sessionId: 'x', dataDir })).rejects.toThrow(
    '--help is not a commit',
  )
})

test('settings and failing hooks of the user keep no work from being saved', async () => {
  const home = join(dataDir, 'home')
  const failing = (name: string) => writeFileSync(join(home, 'hooks', name), '#!/bin/sh\nexit 1\n', { mode: 0o755 })
  mkdirSync(join(home, 'hooks'), { recursive: true })
  failing('post-checkout')
  const settings = { 'commit.gpgsign': 'true', 'gpg.program': 'false', 'core.autocrlf': 'true', 'color.ui': 'always' }
  for (const [name, value] of Object.entries({ ...settings, 'core.hooksPath': join(home, 'hooks') })) {
    git(home, 'config', '-f', join(home, '.gitconfig'), name, value)
  }
  git(repository, 'config', '--unset', 'core.autocrlf')
  vi.stubEnv('HOME', home)
  onTestFinished(() => void vi.unstubAllEnvs())
  const worktree = await make('abc')
  writeFileSync(join(worktree.root, 'made'), 'by the agent\n')
  failing('reference-transaction')
  expect(await removeWorktree(worktree, 'abc')).toBe('refs/amux-kept/abc')
  expect(git(repository, 'show', 'refs/amux-kept/abc:made')).toBe('by the agent')
  rmSync(join(home, 'hooks/reference-transaction'))
  await remakeWorktree(worktree, 'abc')
  expect(readFileSync(join(worktree.root, 'made'), 'utf8')).toMatch(/^by the agent\r?\n$/)
})
