import type { EndpointPlan } from '../../contract/adapter.ts'
import type { EndpointOverride, RunOptions } from '../../contract/run-options.ts'
import type { RunFile, SpawnArgs } from '../../contract/spawn.ts'
import { promptWithSystem } from '../kit/prompt.ts'
import { joinedFlag, SILENCE_LIMIT_MS, spawnArgs } from '../kit/spawn-args.ts'
import { endpointConfig, endpointModel } from './endpoint.ts'
import { manifest } from './manifest.ts'

/** Tool calls and retries are reported in the log only; updates and telemetry do not belong into a run. */
const ENV = { OPENCLAW_LOG_LEVEL: 'debug', OPENCLAW_NO_AUTO_UPDATE: '1', OPENCLAW_DISABLE_TELEMETRY: '1' }

/** It keeps its state here, so that what it has used can be read while it works, and nothing of it is left behind. */
const STATE_DIR = 'state'
/** It takes a directory only if it exists. */
const STATE_FILES: RunFile[] = [{ name: `${STATE_DIR}/.agent-mux`, content: '' }]
/** In the folder of the agent that its configuration chooses. */
const USAGE_STORE = `{file:${STATE_DIR}}/agents/*/agent/openclaw-agent.sqlite`

function endpointPlan(endpoint: EndpointOverride, model?: string): EndpointPlan {
  const content = JSON.stringify(endpointConfig(endpoint, model))
  return { env: {}, args: ['--config={file:openclaw.json}'], files: [{ name: 'openclaw.json', content }] }
}

export function endpointOverride(endpoint: EndpointOverride): EndpointPlan {
  return endpointPlan(endpoint)
}

export function buildSpawnArgs(options: RunOptions): SpawnArgs {
  const { model, thinkingEffort, endpoint } = options
  const plan = endpoint ? endpointPlan(endpoint, model) : { env: {}, args: [], files: [] }
  return spawnArgs(options, {
    command: manifest.cliCommand,
    args: [
      ...['agent', 'exec', '--json', '--message-file=-'],
      // Its own deadline is ten minutes: ours holds instead.
      '--timeout=0',
      `--state-dir={file:${STATE_DIR}}`,
      ...plan.args,
      ...joinedFlag('--model', model && endpoint ? endpointModel(model) : model),
      ...joinedFlag('--thinking', thinkingEffort),
    ],
    env: { ...ENV, ...plan.env },
    stdin: promptWithSystem(options),
    // Its requests to a model are reported on stderr, so a silence is a model, or a command, that hangs.
    inactivityTimeout: SILENCE_LIMIT_MS,
    files: [...plan.files, ...STATE_FILES],
    usageStore: USAGE_STORE,
  })
}
