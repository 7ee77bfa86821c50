import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { plainGit } from '../../test/support/git.ts'
import type { RunnerState } from '../contract/launch.ts'
import { findLeftovers, type KnownSession } from './leftovers.ts'

let dataDir: string

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'agent-mux-leftovers-'))
})
afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

const session = (id: string, isLive: boolean): KnownSession => ({
  ...{ id, isLive, launch: 1 },
  workspace: { kind: 'directory', path: dataDir },
})

const never = async (): Promise<RunnerState> => ({ state: 'never_started' })

function old(path: string): void {
  utimesSync(path, 1, 1)
}

test('nothing at all, and what is in use, are not leftovers', async () => {
  expect(await findLeftovers({ dataDir: join(dataDir, 'none'), sessions: [], runnerState: never })).toEqual([])
  for (const name of ['live-1', 'done-1', 'starting-1']) mkdirSync(join(dataDir, 'launches', name), { recursive: true })
  const sessions = [session('live', true), session('done', false)]
  expect(await findLeftovers({ dataDir, sessions, runnerState: never })).toEqual([])
})

test('each kind is named with what can be done about it', async () => {
  for (const name of ['gone-1', 'done-1', 'stray-1']) mkdirSync(join(dataDir, 'launches', name), { recursive: true })
  for (const name of ['gone-1', 'stray-1']) old(join(dataDir, 'launches', name))
  mkdirSync(join(dataDir, 'worktrees', 'repo-gone'), { recursive: true })
  mkdirSync(join(dataDir, 'spool', 'torn'), { recursive: true })
  for (const name of ['a.hook', 'b.hook', 'new.hook', 'c.part', 'torn/d.hook']) {
    writeFileSync(join(dataDir, 'spool', name), '')
    if (name !== 'new.hook') old(join(dataDir, 'spool', name))
  }
  writeFileSync(join(dataDir, 'daemon.json'), '{"pid":4999999,"startTime":"1","bootId":"earlier","port":1}')
  const repository = join(dataDir, 'repository')
  const git = (...args: string[]) => plainGit(repository, ...args)
  mkdirSync(repository)
  git('init', '-q')
  git('commit', '-q', '--allow-empty', '-m', 'x')
  git('update-ref', 'refs/amux-kept/gone', 'HEAD')
  const runner = { pid: 4242, startTime: '1', bootId: 'b' }
  const info = { format: 1, launchId: 'x', runner, agent: null, socket: '', startedAt: 1, version: '1' } as const
  const runnerState = async (path: string): Promise<RunnerState> =>
    /done|stray/.test(path) ? { state: 'alive', info } : { state: 'never_started' }
  const sessions = [session('done', false)]
  const found = await findLeftovers({ dataDir, sessions, runnerState, cwd: repository })
  expect(found.map(({ kind, why }) => `${kind}: ${why}`).toSorted()).toEqual([
    'launch: no session knows this launch any more',
    'ref: refs/amux-kept/gone keeps work that was in no commit when its session was removed',
    'registration: the daemon that it names, process 4999999, is gone without saying so',
    'runner: process 4242 runs, but its session counts as exited',
    'runner: process 4242 runs, but no session knows it',
    'spool: 1 hooks could not be read',
    'spool: 2 hooks wait to be read',
    'worktree: no session uses this worktree any more',
  ])
  for (const { next } of found) expect(next).not.toBe('')
})
