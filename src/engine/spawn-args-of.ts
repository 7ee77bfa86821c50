import type { AgentAdapter } from '../contract/adapter.ts'
import { AgentMuxError } from '../contract/errors.ts'
import type { RunOptions } from '../contract/run-options.ts'
import type { SpawnArgs } from '../contract/spawn.ts'

/** How to start the agent. An adapter from outside may be written without types: what it leaves out has its default. */
export function spawnArgsOf(adapter: AgentAdapter, options: RunOptions): SpawnArgs {
  const given: Partial<SpawnArgs> | null | undefined = adapter.buildSpawnArgs(options)
  const { command, args, env, cwd, usePty, stdin, ...rest } = given ?? {}
  if (typeof command !== 'string' || command === '' || !Array.isArray(args ?? [])) {
    throw new AgentMuxError('SPAWN_ERROR', `The adapter of ${adapter.agent} does not say what to start`, {
      hint: 'Its buildSpawnArgs must return at least { command, args }: a text and a list of texts.',
    })
  }
  return {
    ...rest,
    command,
    args: args ?? [],
    env: env ?? {},
    cwd: cwd ?? options.cwd ?? process.cwd(),
    usePty: usePty ?? false,
    ...(typeof stdin === 'string' && { stdin }),
  }
}
