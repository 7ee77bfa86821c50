import type { Fact } from '../activity.ts'
import type { AuthSetupGuidance, AuthState } from '../auth.ts'
import type { AgentCapabilities } from '../capabilities.ts'
import type { AgentEvent } from '../events.ts'
import type { BlobReference, ScreenText } from '../launch.ts'
import type { ModelCapabilities } from '../models.ts'
import type { Outcome } from '../outcome.ts'
import type { QuotaStatus } from '../quota.ts'
import type { AgentAdapterInfo, InstalledAgentInfo } from '../registry.ts'
import type { PendingInteraction, RunResult } from '../run-handle.ts'
import type { Session, SessionSummary } from '../sessions.ts'
import type { CostRecord } from '../usage.ts'
import type { TerminalInput, TerminalMessage } from './terminal.ts'

/**
 * Shapes of the API that our types describe already. `npm run api-shapes` makes their JSON schemas of these types, so
 * that the API's document is as complete as they are.
 */
export interface ApiShapes {
  Agent: AgentAdapterInfo & InstalledAgentInfo
  AgentCapabilities: AgentCapabilities
  AgentEvent: AgentEvent
  AuthSetupGuidance: AuthSetupGuidance
  AuthState: AuthState
  BlobReference: BlobReference
  CostRecord: CostRecord
  Fact: Fact
  ModelCapabilities: ModelCapabilities
  Outcome: Outcome
  PendingInteraction: PendingInteraction
  QuotaStatus: QuotaStatus
  RunResult: RunResult
  ScreenText: ScreenText
  Session: Session
  SessionSummary: SessionSummary
  TerminalInput: TerminalInput
  TerminalMessage: TerminalMessage
}
