import type { AdapterManifest } from '../../../contract/manifest.ts'
import type { RunOptions } from '../../../contract/run-options.ts'
import type { SpawnArgs } from '../../../contract/spawn.ts'
import { spawnArgs } from '../../kit/spawn-args.ts'
import type { AcpProfile } from './profile.ts'

/** The prompt and nearly all options travel in the protocol. */
export function acpSpawnArgs(manifest: AdapterManifest, profile: AcpProfile): (options: RunOptions) => SpawnArgs {
  return (options) => {
    const { model, thinkingEffort } = options
    const { modelFlag, effortVariable } = profile
    const modelArgs = model !== undefined && modelFlag !== undefined ? [modelFlag, model] : []
    const effort =
      thinkingEffort !== undefined && effortVariable !== undefined
        ? { [effortVariable]: profile.efforts?.[thinkingEffort] ?? thinkingEffort }
        : {}
    return spawnArgs(options, {
      command: manifest.cliCommand,
      args: [...profile.args, ...modelArgs],
      env: { ...profile.env, ...effort },
    })
  }
}
