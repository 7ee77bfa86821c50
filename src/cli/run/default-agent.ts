import { resolve } from 'node:path'
import type { AgentMuxClient } from '../../mux/client.ts'

/** The agent that is meant when none is named: by the environment, the profile, or the settings of project and user. */
export function defaultAgent(mux: AgentMuxClient, flags: { profile?: string; cwd?: string }): string | undefined {
  const cwd = flags.cwd === undefined ? undefined : resolve(flags.cwd)
  return mux.defaults({ profile: flags.profile, cwd }).agent
}
