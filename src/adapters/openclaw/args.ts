import type { EndpointPlan } from '../../contract/adapter.ts'
import type { EndpointOverride, RunOptions } from '../../contract/run-options.ts'
import type { SpawnArgs } from '../../contract/spawn.ts'
import { promptWithSystem } from '../../core/prompt.ts'
import { spawnArgs } from '../../core/spawn-args.ts'
import { refuseOptions } from '../../core/unsupported.ts'
import { endpointConfig, endpointModel } from './endpoint.ts'

/** The agent's requests to a model are told on stderr, so this long a silence is a model, or a command, that hangs. */
const SILENCE_LIMIT_MS = 600_000

/** Tool calls and retries are told in the log only; updates and telemetry do not belong into a run. */
const ENV = { OPENCLAW_LOG_LEVEL: 'debug', OPENCLAW_NO_AUTO_UPDATE: '1', OPENCLAW_DISABLE_TELEMETRY: '1' }

function endpointPlan(endpoint: EndpointOverride, model?: string): EndpointPlan {
  const content = JSON.stringify(endpointConfig(endpoint, model))
  return { env: {}, args: ['--config={file:openclaw.json}'], files: [{ name: 'openclaw.json', content }] }
}

export function endpointOverride(endpoint: EndpointOverride): EndpointPlan {
  return endpointPlan(endpoint)
}

export function buildSpawnArgs(options: RunOptions): SpawnArgs {
  refuseOptions('openclaw', options, { maxTurns: '' })
  const { model, thinkingEffort, endpoint } = options
  const plan = endpoint ? endpointPlan(endpoint, model) : { env: {}, args: [], files: [] }
  // Its own deadline is ten minutes: ours holds instead.
  const args = ['agent', 'exec', '--json', '--message-file=-', '--timeout=0', ...plan.args]
  if (model !== undefined) args.push(`--model=${endpoint ? endpointModel(model) : model}`)
  if (thinkingEffort !== undefined) args.push(`--thinking=${thinkingEffort}`)
  return spawnArgs(options, {
    command: 'openclaw',
    args,
    env: { ...ENV, ...plan.env },
    stdin: promptWithSystem(options),
    inactivityTimeout: SILENCE_LIMIT_MS,
    files: plan.files,
  })
}
