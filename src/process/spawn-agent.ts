import { randomBytes } from 'node:crypto'
import type { SpawnArgs } from '../contract/spawn.ts'
import type { Place, PlaceChild } from './place.ts'
import { writeRunFiles } from './run-files.ts'

export interface SpawnedAgent {
  child: PlaceChild
  /** What `{secret}` stands for in the environment: new for every process, and known to nobody else. */
  secret: string
  /** Puts paths in place of `{file:<name>}`. */
  fill(text: string): string
  /** Removes the run's own files. */
  cleanUp(): Promise<void>
}

const SECRET_REFERENCE = '{secret}'

/** Starts an agent in a process group of its own, so that all of it can be signalled at once. */
export async function spawnAgent(
  place: Place,
  args: SpawnArgs,
  env: Record<string, string>,
  runId: string,
): Promise<SpawnedAgent> {
  const { fill, remove } = await writeRunFiles(place, args.files ?? [], runId)
  const secret = randomBytes(24).toString('base64url')
  const fillEnv = (text: string) => (text === SECRET_REFERENCE ? secret : fill(text))
  const filledEnv = Object.fromEntries(Object.entries(env).map(([name, value]) => [name, fillEnv(value)]))
  try {
    const child = await startChild(place, { ...args, args: args.args.map(fill) }, filledEnv)
    return { child, secret, fill, cleanUp: remove }
  } catch (error) {
    await remove()
    throw error
  }
}

async function startChild(place: Place, given: SpawnArgs, env: Record<string, string>): Promise<PlaceChild> {
  const { command, args, cwd, shell = false, usePty } = given
  if (!usePty) return place.spawn({ command, args, cwd, env, shell })
  const { spawnInPty } = await import('./pty-child.ts')
  return spawnInPty(place, { command, args, cwd, env, shell })
}
