import { CapabilityError } from '../contract/errors.ts'
import type { AgentName } from '../contract/names.ts'
import type { ApprovalMode, RunOptions } from '../contract/run-options.ts'
import { refuseOptions, type UnsupportedOptions } from './unsupported.ts'

const HEADLESS_ONLY = 'A terminal cannot do this; start the session without one.'

const UNSUPPORTED: UnsupportedOptions = {
  outputSchema: HEADLESS_ONLY,
  maxTurns: HEADLESS_ONLY,
  maxCostUsd: HEADLESS_ONLY,
  attachments: 'Name the files in the prompt.',
  noSession: HEADLESS_ONLY,
}

/** Refuses what only a run with a structured stream can honour, and what this agent cannot do in a terminal. */
export function refuseInTerminal(agent: AgentName, options: RunOptions, also: UnsupportedOptions = {}): void {
  refuseOptions(agent, options, { ...UNSUPPORTED, ...also })
}

/** A mode of approvals that only the structured form of this agent can keep to. */
export function refuseModes(agent: AgentName, { approvalMode }: RunOptions, ...modes: readonly ApprovalMode[]): void {
  if (approvalMode === undefined || !modes.includes(approvalMode)) return
  throw new CapabilityError(agent, `approval mode ${approvalMode} in a terminal`, { hint: HEADLESS_ONLY })
}
