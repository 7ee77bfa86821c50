import type { Effect } from '../../contract/dialogue.ts'
import type { AgentEventDraft } from '../../contract/event-drafts.ts'
import type { JsonRecord } from '../../core/json.ts'

export interface DialogueState {
  /** A request that the next line either shows to be settled over there, or leaves to us. */
  held: Effect[]
  /** Approvals that we have answered: the other side reports them once more. */
  readonly answered: Set<string>
  /** Turns sent that have not begun. */
  queuedTurns: number
  hasSaidClose: boolean
  reportedCost: boolean
  /** Shown when the run is over. */
  terminal: AgentEventDraft | null
  /** The last line: the `RunResult` over there. */
  result: JsonRecord | null
  /** The other agent-mux could not or would not run anything. */
  refusal: JsonRecord | null
}

export function createState(): DialogueState {
  return {
    held: [],
    answered: new Set(),
    queuedTurns: 1,
    hasSaidClose: false,
    reportedCost: false,
    terminal: null,
    result: null,
    refusal: null,
  }
}
