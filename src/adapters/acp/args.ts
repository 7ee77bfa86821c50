import type { AdapterManifest } from '../../contract/manifest.ts'
import type { RunOptions } from '../../contract/run-options.ts'
import type { SpawnArgs } from '../../contract/spawn.ts'
import { refuseOptions, type UnsupportedOptions } from '../../core/unsupported.ts'
import type { AcpProfile } from './profile.ts'

/** What the protocol has no place for. */
const UNSUPPORTED: UnsupportedOptions = {
  thinkingBudgetTokens: 'Use thinkingEffort.',
  thinkingOverride: 'Use thinkingEffort.',
  newSessionId: 'The agent chooses the id of a new session itself.',
  allowedTools: '',
  disallowedTools: '',
  outputSchema: '',
  skills: '',
  agentsDoc: 'Write it to AGENTS.md, or pass it as systemPrompt.',
}

/** The prompt and nearly all options travel in the protocol. */
export function acpSpawnArgs(manifest: AdapterManifest, profile: AcpProfile): (options: RunOptions) => SpawnArgs {
  return (options) => {
    refuseOptions(manifest.agent, options, UNSUPPORTED)
    const { model, thinkingEffort, cwd = process.cwd(), timeout, inactivityTimeout } = options
    const { modelFlag, effortVariable } = profile
    const modelArgs = model !== undefined && modelFlag !== undefined ? [modelFlag, model] : []
    const effort =
      thinkingEffort !== undefined && effortVariable !== undefined
        ? { [effortVariable]: profile.efforts?.[thinkingEffort] ?? thinkingEffort }
        : {}
    return {
      command: manifest.cliCommand,
      args: [...profile.args, ...modelArgs],
      env: { ...profile.env, ...effort, ...options.env },
      cwd,
      usePty: false,
      timeout,
      inactivityTimeout,
    }
  }
}
