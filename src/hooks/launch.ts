import { mkdir, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { AgentAdapter } from '../contract/adapter.ts'
import type { HookContext, HookPlan, LaunchHooks } from '../contract/hooks.ts'
import type { RunOptions } from '../contract/run-options.ts'
import type { SpawnArgs } from '../contract/spawn.ts'
import { atomicWrite, nullWhenMissing } from '../files/atomic-write.ts'
import { homeDirectory } from '../files/data-dir.ts'
import { addArguments } from './add-arguments.ts'
import { callbackPath, ensureCallback, hookEnvironment } from './callback.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** What planning needs to know, for the user who runs us. */
export function hookContext(dataDir: string, workspace: string, env: Environment = process.env): HookContext {
  return { homeDir: homeDirectory(env), env, workspace, dataDir, callback: callbackPath(dataDir) }
}

export interface HookedLaunch {
  sessionId: string
  /** Counted from 1. */
  launch: number
}

export interface LaunchAdditions {
  args: string[]
  onceFlag?: string
  env: Record<string, string>
  /** False: the agent takes its hooks from installed files only, if they are there. */
  isComplete: boolean
}

/** What to add to the start of an agent so that its hooks come to us as this session's. */
export async function prepareLaunch(
  adapter: AgentAdapter,
  context: HookContext,
  { sessionId, launch }: HookedLaunch,
): Promise<LaunchAdditions> {
  const env = hookEnvironment(sessionId, launch, context.dataDir)
  const plan: HookPlan | undefined = adapter.planHooks?.(context)
  await ensureCallback(context.dataDir)
  if (!plan?.launch) return { args: [], env, isComplete: false }
  await writeLaunchFiles(plan.launch)
  const { args, onceFlag } = plan.launch
  return { args, onceFlag, env: { ...plan.launch.env, ...env }, isComplete: true }
}

/** The same adapter, whose agents start with these additions. */
export function withAdditions(adapter: AgentAdapter, additions: Omit<LaunchAdditions, 'isComplete'>): AgentAdapter {
  const buildSpawnArgs = (options: RunOptions): SpawnArgs => {
    const spawn = adapter.buildSpawnArgs(options)
    return { ...spawn, args: addArguments(spawn.args, additions), env: { ...spawn.env, ...additions.env } }
  }
  return new Proxy(adapter, {
    get(target, name) {
      if (name === 'buildSpawnArgs') return buildSpawnArgs
      const value: unknown = Reflect.get(target, name, target)
      // A class may have private fields, which only its own instance can reach.
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

async function writeLaunchFiles({ files }: LaunchHooks): Promise<void> {
  for (const { path, content, executable } of files) {
    if ((await readFile(path, 'utf8').catch(nullWhenMissing)) === content) continue
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    await atomicWrite(path, content, { mode: executable ? 0o700 : 0o600 })
  }
}
