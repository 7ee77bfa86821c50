import { basename } from 'node:path'
import type { AgentAdapter } from '../../../contract/adapter.ts'
import { AgentMuxError } from '../../../contract/errors.ts'
import type { AdapterManifest } from '../../../contract/manifest.ts'
import type { AgentName } from '../../../contract/names.ts'
import { splitCommandLine } from '../../../core/command-line.ts'
import { defineManifest, UP_TO_MAX } from '../../kit/define-manifest.ts'

const PREFIX = 'acp:'

export interface AcpCommand {
  /** How to start it: `my-agent --acp`. */
  acp: string
  env?: Record<string, string>
}

export function isAcpName(agent: AgentName): boolean {
  // A program without types may ask for anything.
  return typeof agent === 'string' && agent.startsWith(PREFIX)
}

/** Any agent that speaks ACP, by its command line: the agent `acp:my-agent --acp`, or one that the settings name. */
export function acpEntry(
  agent: AgentName,
  { acp, env }: AcpCommand = { acp: agent.slice(PREFIX.length) },
): { manifest: AdapterManifest; load: () => Promise<AgentAdapter> } {
  const [command, ...args] = splitCommandLine(acp) ?? []
  if (command === undefined || command === '') {
    throw new AgentMuxError('UNKNOWN_AGENT', `"${acp}" is not a command line`, {
      hint: 'Name the agent as acp:"my-agent --acp", with every quote closed.',
    })
  }
  const manifest = defineManifest({
    agent,
    displayName: `${basename(command)} (ACP)`,
    cliCommand: command,
    verification: 'unverified',
    capabilities: {
      // It reports by itself which of these it has.
      ...{ canFork: true, supportsAddDirs: true, supportsQuestions: true, supportsSetModel: true },
      thinkingEffortLevels: UP_TO_MAX,
    },
    auth: { envVars: [], files: [], providerName: basename(command), documentationUrls: [] },
  })
  let instance: Promise<AgentAdapter> | null = null
  const load = () => {
    instance ??= import('./index.ts').then(({ acpAdapter }) => new (acpAdapter(manifest, { args, env }))())
    return instance
  }
  return { manifest, load }
}
