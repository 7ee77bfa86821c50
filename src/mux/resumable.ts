import { stat } from 'node:fs/promises'
import type { AgentName } from '../contract/names.ts'
import type { Continuation, Resumable } from '../contract/session-manager.ts'
import { findBinary } from '../process/find-binary.ts'
import { tooOld } from './installed-version.ts'
import type { RegisteredAgent, Registry } from './registry.ts'

/** For a session of this agent, held in this directory, that is known to exist. */
export type ResumeCheck = (agent: AgentName, cwd: string | undefined) => Promise<Resumable>

/** Asks each agent once, however many sessions of it there are. */
export function resumeCheck(
  registry: Registry,
  env: Readonly<Record<string, string | undefined>>,
  configDir: string,
  how: Continuation,
): ResumeCheck {
  const agents = new Map<AgentName, Promise<Resumable>>()
  const directories = new Map<string, Promise<boolean>>()
  return async (agent, cwd) => {
    const known = agents.get(agent) ?? agentCan(registry.get(agent), env, configDir, how)
    agents.set(agent, known)
    const ability = await known
    if (!ability.resumable || cwd === undefined) return ability
    const there = directories.get(cwd) ?? isDirectory(cwd)
    directories.set(cwd, there)
    return (await there) ? ability : cannot('directory', `its directory ${cwd} is gone`)
  }
}

function cannot(lacks: Extract<Resumable, { resumable: false }>['lacks'], reason: string): Resumable {
  return { resumable: false, reason, lacks }
}

/** Whether sessions of the agent can be gone on with here at all. */
async function agentCan(
  entry: RegisteredAgent,
  env: Readonly<Record<string, string | undefined>>,
  configDir: string,
  how: Continuation,
): Promise<Resumable> {
  const { displayName, capabilities, cliCommand, minVersion, source } = entry
  const isAble = how === 'fork' ? capabilities.canFork : capabilities.canResume
  if (!isAble) return cannot('ability', `${displayName} cannot ${how} sessions`)
  // What an adapter of somebody else starts, only it knows.
  if (source === 'plugin') return { resumable: true }
  const path = findBinary(cliCommand, env)
  if (path === null) return cannot('installation', `${displayName} is not installed: no \`${cliCommand}\` on PATH`)
  if (minVersion === undefined) return { resumable: true }
  // An unknown version does not prevent it, as for `amux run`.
  const reason = await tooOld(entry, await entry.load(), { env, configDir })
  return reason === null ? { resumable: true } : cannot('version', reason)
}

async function isDirectory(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory()
  } catch {
    return false
  }
}
