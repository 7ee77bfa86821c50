import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Leftover } from '../contract/api/leftover.ts'
import type { Workspace } from '../contract/api/managed-session.ts'
import type { RunnerModule } from '../contract/launch.ts'
import { nullWhenMissing } from '../files/atomic-write.ts'
import { spoolBacklog, spoolDirectory } from '../hooks/spool.ts'
import { isAlive } from '../process/identity.ts'
import { keptRefs, leftoverWorktrees, repositoryOf } from '../workspaces/worktree.ts'
import { readRegistration } from './registration.ts'

/** What has to be known about a session to find what belongs to it. */
export interface KnownSession {
  id: string
  launch: number
  isLive: boolean
  workspace: Workspace
}

export interface LeftoversRequest {
  dataDir: string
  sessions: readonly KnownSession[]
  runnerState: RunnerModule['runnerState']
  /** A directory whose repository is looked into as well. */
  cwd?: string
}

/** A hook that waits for longer than this waits for a daemon. */
const BACKLOG_MS = 10_000
/** A launch is made before its session. */
const NEW_MS = 60_000

/** All that is there and that nobody seems to need any more. Only looks; with and without a daemon. */
export async function findLeftovers(request: LeftoversRequest): Promise<Leftover[]> {
  const { dataDir, sessions, cwd } = request
  const worktrees = await leftoverWorktrees(
    dataDir,
    sessions.map(({ workspace }) => workspace),
  )
  const known = sessions.flatMap(({ workspace }) => (workspace.kind === 'worktree' ? [workspace.repository] : []))
  const found = await Promise.all([...worktrees.map(({ path }) => path), ...(cwd ? [cwd] : [])].map(repositoryOf))
  const repositories = new Set([...known, ...found.filter((one) => one !== null)])
  const refs = await Promise.all([...repositories].map((one) => leftoverRefs(one, sessions)))
  return [
    ...(await staleRegistration(dataDir)),
    ...(await leftoverLaunches(request)),
    ...worktrees,
    ...refs.flat(),
    ...(await waitingHooks(dataDir)),
  ]
}

async function staleRegistration(dataDir: string): Promise<Leftover[]> {
  const registration = await readRegistration(dataDir)
  if (registration === null || isAlive(registration)) return []
  const why = `the daemon that it names, process ${registration.pid}, is gone without saying so`
  const next = 'nothing: the next daemon replaces it'
  return [{ kind: 'registration', path: join(dataDir, 'daemon.json'), why, next }]
}

async function leftoverLaunches({ dataDir, sessions, runnerState }: LeftoversRequest): Promise<Leftover[]> {
  const directory = join(dataDir, 'launches')
  const names = (await readdir(directory).catch(nullWhenMissing)) ?? []
  const byId = new Map(sessions.map((session) => [session.id, session]))
  const found = await Promise.all(
    names.map(async (name): Promise<Leftover[]> => {
      const path = join(directory, name)
      const at = name.lastIndexOf('-')
      const session = byId.get(name.slice(0, at))
      const isCurrent = session?.isLive && session.launch === Number(name.slice(at + 1))
      if (isCurrent || (session === undefined && (await isNew(path)))) return []
      const state = await runnerState(path).catch(() => null) // listed even when damaged
      if (state?.state === 'alive') {
        const { pid } = state.info.runner
        const why = session ? 'its session counts as exited' : 'no session knows it'
        return [{ kind: 'runner', path, why: `process ${pid} runs, but ${why}`, next: `kill ${pid}` }]
      }
      const why = 'no session knows this launch any more'
      return session ? [] : [{ kind: 'launch', path, why, next: 'remove the directory' }]
    }),
  )
  return found.flat()
}

async function isNew(path: string): Promise<boolean> {
  const stats = await stat(path).catch(nullWhenMissing)
  return stats === null || Date.now() - stats.mtimeMs < NEW_MS
}

async function leftoverRefs(repository: string, sessions: readonly KnownSession[]): Promise<Leftover[]> {
  const refs = await keptRefs(repository)
  const isOpen = (ref: string) => sessions.some(({ id, isLive }) => isLive && ref.endsWith(`/${id}`))
  return refs
    .filter((ref) => !isOpen(ref))
    .map((ref) => ({
      kind: 'ref',
      path: repository,
      why: `${ref} keeps work that was in no commit when its session was removed`,
      next: `git -C ${repository} show ${ref}, and when you need it no more: git -C ${repository} update-ref -d ${ref}`,
    }))
}

async function waitingHooks(dataDir: string): Promise<Leftover[]> {
  const path = spoolDirectory(dataDir)
  const { waiting, torn } = await spoolBacklog(path, BACKLOG_MS)
  const reported: Leftover[] = []
  if (waiting > 0) {
    const next = '`amux serve`: the daemon takes them in'
    reported.push({ kind: 'spool', path, why: `${waiting} hooks wait to be read`, next })
  }
  if (torn > 0) {
    const next = 'remove them when you have looked at them'
    reported.push({ kind: 'spool', path: join(path, 'torn'), why: `${torn} hooks could not be read`, next })
  }
  return reported
}
