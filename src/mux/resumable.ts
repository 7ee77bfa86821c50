import { stat } from 'node:fs/promises'
import type { AgentName } from '../contract/names.ts'
import type { Resumable } from '../contract/session-manager.ts'
import { meetsVersion } from '../core/version.ts'
import { findBinary } from '../process/find-binary.ts'
import { knownVersion } from './cli-version.ts'
import type { RegisteredAgent, Registry } from './registry.ts'

/** For a session of this agent, held in this directory, that is known to exist. */
export type ResumeCheck = (agent: AgentName, cwd: string | undefined) => Promise<Resumable>

/** Asks each agent once, however many sessions of it there are. */
export function resumeCheck(
  registry: Registry,
  env: Readonly<Record<string, string | undefined>>,
  configDir: string,
): ResumeCheck {
  const agents = new Map<AgentName, Promise<string | null>>()
  const directories = new Map<string, Promise<boolean>>()
  return async (agent, cwd) => {
    const known = agents.get(agent) ?? whyNot(registry.get(agent), env, configDir)
    agents.set(agent, known)
    const reason = await known
    if (reason !== null) return { resumable: false, reason }
    if (cwd === undefined) return { resumable: true }
    const there = directories.get(cwd) ?? isDirectory(cwd)
    directories.set(cwd, there)
    return (await there) ? { resumable: true } : { resumable: false, reason: `its directory ${cwd} is gone` }
  }
}

/** Why no session of the agent can be resumed here. Null: they can. */
async function whyNot(
  entry: RegisteredAgent,
  env: Readonly<Record<string, string | undefined>>,
  configDir: string,
): Promise<string | null> {
  const { displayName, capabilities, cliCommand, minVersion, source } = entry
  if (!capabilities.canResume) return `${displayName} cannot resume sessions`
  // What an adapter of somebody else starts, only it knows.
  if (source === 'plugin') return null
  const path = findBinary(cliCommand, env)
  if (path === null) return `${displayName} is not installed: no \`${cliCommand}\` on PATH`
  if (minVersion === undefined) return null
  const { manifest } = await entry.load()
  const version = await knownVersion(path, configDir, manifest?.versionArgs)
  if (version === null) return `${displayName} does not tell its version, so it may be too old`
  return meetsVersion(version, minVersion) ? null : `${displayName} ${version} is too old: ${minVersion} is needed`
}

async function isDirectory(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory()
  } catch {
    return false
  }
}
