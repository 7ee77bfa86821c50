import type { AgentCapabilities } from '../contract/capabilities.ts'
import { AgentMuxError } from '../contract/errors.ts'
import type { AgentName } from '../contract/names.ts'

interface Named {
  agent: AgentName
  displayName: string
  capabilities: AgentCapabilities
}

/** The one error for a CLI that is not there, whatever was wanted of it. `hint`: in place of how to install it. */
export function notInstalled(agent: Named, command: string, hint?: string): AgentMuxError {
  const missing = /[\\/]/.test(command) ? `there is no \`${command}\`` : `no \`${command}\` on PATH`
  return new AgentMuxError('AGENT_NOT_INSTALLED', `${agent.displayName} is not installed: ${missing}`, {
    hint: hint ?? installHint(agent),
  })
}

function installHint({ capabilities }: Named): string | undefined {
  const method = capabilities.installMethods.find(({ platform }) => platform === 'all' || platform === process.platform)
  // Where nothing can be typed, the command is a sentence.
  return method?.type === 'manual' ? method.command : method && `Install it with: ${method.command}`
}
