import type { AgentAdapter } from '../contract/adapter.ts'
import { CapabilityError } from '../contract/errors.ts'
import type { RunOptions } from '../contract/run-options.ts'
import type { LaunchPlan } from '../contract/terminal.ts'
import { NOT_IN_TERMINALS } from '../core/terminal-options.ts'
import { refuseOptions } from '../core/unsupported.ts'
import type { AgentMuxClient } from './client.ts'

export interface TerminalPlan {
  adapter: AgentAdapter
  plan: LaunchPlan
  /** With profile and settings in them. */
  options: RunOptions
}

/** How the agent's own screen is started. Rejects for what a run would refuse, and for what a terminal cannot honour. */
export async function planTerminal(mux: AgentMuxClient, given: RunOptions): Promise<TerminalPlan> {
  const { agent = '', prompt, keepOpen } = given
  const adapter = await mux.adapters.load(agent)
  const { planLaunch } = adapter
  if (!planLaunch) throw new CapabilityError(agent, 'terminals', { hint: 'Start the session without a terminal.' })
  refuseOptions(agent, given, NOT_IN_TERMINALS)
  if (keepOpen === false) {
    throw new CapabilityError(agent, 'ending after one turn in a terminal', { hint: 'Start it without a terminal.' })
  }
  if (given.maxCostUsd !== undefined && adapter.capabilities.supportsTerminalBudget === false) {
    throw new CapabilityError(agent, 'a budget in a terminal', { hint: 'Start it without a terminal.' })
  }
  const isEmpty = prompt === undefined || prompt.length === 0
  const options = { ...mux.check({ ...given, prompt: isEmpty ? 'none' : prompt }), prompt }
  return { adapter, plan: planLaunch.call(adapter, options), options }
}
