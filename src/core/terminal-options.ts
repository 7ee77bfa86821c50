import { CapabilityError } from '../contract/errors.ts'
import type { AgentName } from '../contract/names.ts'
import { isAt, OPTION_NAMES, rowOf } from '../contract/options.ts'
import type { ApprovalMode, RunOptions } from '../contract/run-options.ts'
import { refuseOptions, type UnsupportedOptions } from './unsupported.ts'

const HEADLESS_ONLY = 'A terminal cannot do this; start the session without one.'

const REFUSED = OPTION_NAMES.flatMap((name) => {
  const { terminal } = rowOf(name)
  return terminal === undefined ? [] : [[name, terminal] as const]
})

/** What nobody who asks for it gets in a terminal, with what to do instead. */
export const NOT_IN_TERMINALS: UnsupportedOptions = Object.fromEntries(REFUSED)

/** As a setting for every run an option is for those without a terminal: only asking for it is refused. */
const UNSUPPORTED: UnsupportedOptions = Object.fromEntries(REFUSED.filter(([name]) => !isAt('settings', name)))

/** Refuses what only a run with a structured stream can honour, and what this agent cannot do in a terminal. */
export function refuseInTerminal(agent: AgentName, options: RunOptions, also: UnsupportedOptions = {}): void {
  refuseOptions(agent, options, { ...UNSUPPORTED, ...also })
}

/** A mode of approvals that only the structured form of this agent can keep to. */
export function refuseModes(agent: AgentName, { approvalMode }: RunOptions, ...modes: readonly ApprovalMode[]): void {
  if (approvalMode === undefined || !modes.includes(approvalMode)) return
  throw new CapabilityError(agent, `approval mode ${approvalMode} in a terminal`, { hint: HEADLESS_ONLY })
}
