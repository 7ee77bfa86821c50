import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { plainGit as git } from '../../test/support/git.ts'
import { ENTRIES } from '../../test/support/hook-entries.ts'
import { type InstallRequest, installHooks, uninstallHooks } from './install.ts'

let root: string
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'amux-exclude-')))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

function repository(): string {
  const path = join(root, 'repo')
  mkdirSync(join(path, 'sub'), { recursive: true })
  git(path, 'init', '--quiet')
  git(path, 'commit', '--quiet', '--allow-empty', '-m', 'first')
  return path
}

function requestFor(workspace: string, name = 'a [b]/settings.json'): InstallRequest {
  const path = join(workspace, '.agent', name)
  return {
    owner: { agent: 'test', scope: 'workspace', workspace },
    installation: { files: [{ kind: 'shared', path, format: 'json', entries: ENTRIES.json }] },
    dataDir: join(root, 'data'),
  }
}

const status = (path: string) => git(path, 'status', '--porcelain', '--untracked-files=all')

test('git sees nothing of ours, and its excludes are restored', async () => {
  const repo = repository()
  const exclude = join(repo, '.git', 'info', 'exclude')
  writeFileSync(exclude, '*.mine')
  const request = requestFor(join(repo, 'sub'))
  await installHooks(request)
  const path = request.installation.files[0]?.path ?? ''
  expect(git(repo, 'check-ignore', path)).not.toBe('')
  expect(status(repo)).toBe('')
  await installHooks(request)
  await uninstallHooks(request)
  expect(readFileSync(exclude, 'utf8')).toBe('*.mine')
  expect(existsSync(join(repo, 'sub', '.agent'))).toBe(false)
})

test('a tracked file is refused', async () => {
  const repo = repository()
  const request = requestFor(repo)
  const path = request.installation.files[0]?.path ?? ''
  mkdirSync(join(repo, '.agent', 'a [b]'), { recursive: true })
  writeFileSync(path, '{}')
  git(repo, 'add', '.')
  await expect(installHooks(request)).rejects.toThrow('tracked')
  expect(readFileSync(path, 'utf8')).toBe('{}')
})

test('what is ignored already needs no line', async () => {
  const repo = repository()
  writeFileSync(join(repo, '.gitignore'), '.agent/\n')
  git(repo, 'add', '.')
  const exclude = join(repo, '.git', 'info', 'exclude')
  const before = readFileSync(exclude, 'utf8')
  await installHooks(requestFor(repo))
  expect(readFileSync(exclude, 'utf8')).toBe(before)
})

test('two worktrees share one exclude file, and the last one clears it', async () => {
  const repo = repository()
  const second = join(root, 'second')
  git(repo, 'worktree', 'add', '--quiet', second)
  const exclude = join(repo, '.git', 'info', 'exclude')
  const before = readFileSync(exclude, 'utf8')
  await installHooks(requestFor(repo))
  await installHooks(requestFor(second))
  expect(status(second)).toBe('')
  await uninstallHooks(requestFor(repo))
  expect(status(second)).toBe('')
  await uninstallHooks(requestFor(second))
  expect(readFileSync(exclude, 'utf8')).toBe(before)
  expect(status(repo)).toBe('')
})

test('through a symlinked workspace, and without a repository', async () => {
  const repo = repository()
  symlinkSync(repo, join(root, 'link'))
  await installHooks(requestFor(join(root, 'link')))
  expect(status(repo)).toBe('')
  const plain = join(root, 'plain')
  mkdirSync(plain)
  expect(await installHooks(requestFor(plain))).toHaveLength(1)
})
