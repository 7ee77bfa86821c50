import type { EndpointPlan } from '../../contract/adapter.ts'
import type { EndpointOverride, RunOptions } from '../../contract/run-options.ts'
import type { RunFile, SpawnArgs } from '../../contract/spawn.ts'
import { acpSpawnArgs } from '../families/acp/args.ts'
import { asksNobody, endpointSettings, runSettings, SETTINGS_VARIABLE, settingsFile } from './endpoint.ts'
import { manifest } from './manifest.ts'
import { profile } from './profile.ts'

export function endpointOverride(endpoint: EndpointOverride): EndpointPlan {
  const files = [settingsFile(endpointSettings(endpoint))]
  return { env: { [SETTINGS_VARIABLE]: '{file:settings}' }, args: [], files }
}

/**
 * Left to itself the agent (0.19) asks only about commands that look dangerous. A scanner that objects to each of them,
 * as `false` does, makes it ask about all.
 */
const ASKS_ALWAYS = { TIRITH_ENABLED: 'true', TIRITH_BIN: 'false', TIRITH_FAIL_OPEN: 'false' }

export function approvalEnv(options: RunOptions): Record<string, string> {
  return asksNobody(options) ? { HERMES_YOLO_MODE: '1' } : ASKS_ALWAYS
}

const acpArgs = acpSpawnArgs(manifest, profile)

/** Both the live and the one-shot form are ACP: 0.19 has no other that can be read. */
export function buildSpawnArgs(options: RunOptions): SpawnArgs {
  const args = acpArgs(options)
  const files: RunFile[] = []
  const env = { ...runSettings(options, files), ...approvalEnv(options) }
  return { ...args, env: { ...env, ...args.env }, files }
}
