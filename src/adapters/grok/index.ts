import type { DetectInstallationResult } from '../../contract/adapter.ts'
import { extractVersion } from '../../core/version.ts'
import { adapterOf } from '../built-in.ts'
import { buildSpawnArgs, endpointOverride } from './args.ts'
import { createDialogue } from './dialogue.ts'
import { hooks } from './hooks.ts'
import { manifest } from './manifest.ts'
import { models } from './models.ts'
import { plugins } from './plugins.ts'
import { sessions } from './sessions.ts'
import { terminal } from './terminal.ts'

/** xAI's Grok Build: ACP and, for what only that can, its one-way stream. */
export class GrokAdapter extends adapterOf({
  manifest,
  buildSpawnArgs,
  createDialogue,
  sessions,
  hooks,
  endpointOverride,
  terminal,
  models,
  plugins,
}) {
  /** Another program has the same command; it prints a bare version. */
  async detectInstallation(): Promise<DetectInstallationResult> {
    const { code, stdout } = await this.host.spawner(this.cliCommand, ['--version'])
    if (code !== 0 || !/^grok \d/.test(stdout)) return { installed: false, notes: 'This `grok` is not of xAI.' }
    return { installed: true, version: extractVersion(stdout) ?? undefined }
  }
}

export default new GrokAdapter()
