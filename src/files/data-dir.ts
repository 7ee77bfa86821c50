import { join } from 'node:path'

/** Where our own state is: databases, launches, the spool. Settings are not there but in the config directory. */
export function dataDirectory(configDir: string, env: Readonly<Record<string, string | undefined>>): string {
  return env.AGENT_MUX_DATA_DIR || join(configDir, 'data')
}
