import type { Spawner } from '../contract/adapter.ts'
import { extractVersion } from '../core/version.ts'
import { runCommand } from './run-command.ts'

/**
 * What a CLI says of its version; null when it is missing, does not answer in time, or does not say. Some warn on
 * stderr, so only stdout counts.
 */
export async function probeVersion(
  command: string,
  args: readonly string[] = ['--version'],
  spawn: Spawner = runCommand,
): Promise<string | null> {
  try {
    const { code, stdout } = await spawn(command, [...args])
    return code === 0 ? extractVersion(stdout) : null
  } catch {
    return null
  }
}
