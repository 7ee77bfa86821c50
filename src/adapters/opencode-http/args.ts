import type { EndpointPlan } from '../../contract/adapter.ts'
import { CapabilityError } from '../../contract/errors.ts'
import type { EndpointOverride, RunOptions } from '../../contract/run-options.ts'
import type { SpawnArgs } from '../../contract/spawn.ts'
import { opencodeEndpoint, spawnPlan } from '../families/opencode/args.ts'
import { dialect } from './dialect.ts'

export function endpointOverride(endpoint: EndpointOverride): EndpointPlan {
  return opencodeEndpoint(dialect, endpoint)
}

/** The tool that asks the user comes on when somebody is there to answer. */
function canAnswer({ nonInteractive, onInputRequired, keepOpen }: RunOptions): boolean {
  return !nonInteractive && (onInputRequired !== undefined || keepOpen === true)
}

/** A server for this run alone: on this machine only, and with a password that nobody else has. */
export function buildSpawnArgs(options: RunOptions): SpawnArgs {
  if (options.attachments?.some(({ url }) => url !== undefined)) {
    throw new CapabilityError(dialect.agent, 'attachments by address', { hint: 'Name the address in the prompt.' })
  }
  // Port 0 means 4096 where that is free, else any other; the server says which.
  const plan = spawnPlan(dialect, options, ['serve', '--hostname=127.0.0.1', '--port=0'])
  const question: Record<string, string> = canAnswer(options) ? { OPENCODE_ENABLE_QUESTION_TOOL: '1' } : {}
  return { ...plan, env: { OPENCODE_SERVER_PASSWORD: '{secret}', ...question, ...plan.env } }
}
