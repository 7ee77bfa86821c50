import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryDirectory, testClient } from '../../test/support/client.ts'
import { plainGit as git } from '../../test/support/git.ts'

function repository(): string {
  const directory = temporaryDirectory()
  git(directory, 'init', '--quiet')
  mkdirSync(join(directory, 'inner'))
  writeFileSync(join(directory, 'inner', 'file'), 'x')
  git(directory, 'add', '.')
  git(directory, '-c', 'user.name=a', '-c', 'user.email=a@localhost', 'commit', '--quiet', '-m', 'first')
  return directory
}

test('a worktree for a run: made, listed, and removed with its work kept', async () => {
  const cwd = repository()
  const { worktrees } = testClient()
  const tree = await worktrees.create({ cwd: join(cwd, 'inner'), name: 'try' })
  expect(tree).toMatchObject({ name: 'try', branch: 'amux/try', path: join(tree.root, 'inner') })
  writeFileSync(join(tree.path, 'new'), 'work')
  expect((await worktrees.list({ cwd })).map(({ name, root }) => [name, root])).toEqual([['try', tree.root]])
  expect(await tree.remove()).toBe('refs/amux-kept/try')
  expect(existsSync(tree.root)).toBe(false)
  expect(git(cwd, 'show', 'refs/amux-kept/try:inner/new')).toBe('work')
  expect(await worktrees.list({ cwd })).toEqual([])
})

test('one that is disposed of is gone; a name that is not a branch is refused', async () => {
  const cwd = repository()
  const { worktrees } = testClient()
  const tree = await worktrees.create({ cwd })
  await tree[Symbol.asyncDispose]()
  expect(existsSync(tree.root)).toBe(false)
  await expect(worktrees.create({ cwd, name: '../x' })).rejects.toThrow('name: must be')
})
