import { z } from 'zod'
import { type Activity, EVIDENCE_SOURCES } from '../activity.ts'
import type { Outcome } from '../outcome.ts'
import type { PendingInteraction } from '../run-handle.ts'
import { described } from './described.ts'

export const SESSION_MODES = ['headless', 'terminal'] as const
export const ACTIVITY_STATES = ['spawning', 'active', 'idle', 'waiting_input', 'blocked', 'exited', 'unknown'] as const

/** The directory that an agent works in. */
export const workspace = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('directory'), path: z.string() }),
  z.strictObject({
    kind: z.literal('worktree'),
    path: z.string().describe('Where the agent works: the root, or a directory below it'),
    root: z.string(),
    repository: z.string().describe('The main working directory that the worktree belongs to'),
    branch: z.string(),
    base: z.string().describe('The commit that it started from'),
  }),
])

export const activity = z.strictObject({
  state: z.enum(ACTIVITY_STATES).describe('unknown is not idle: nothing is known'),
  launch: z.number(),
  why: z.string().describe('What the state rests on, in words'),
  source: z.enum(EVIDENCE_SOURCES).nullable(),
  at: z.number().nullable().describe('When that was true'),
  since: z.number().nullable().describe('Since when without a break'),
}) satisfies z.ZodType<Activity>

export const sessionUsage = z.strictObject({
  inputTokens: z.number(),
  outputTokens: z.number(),
  cacheReadTokens: z.number(),
  cacheCreationTokens: z.number(),
  turns: z.number(),
  costUsd: z.number().nullable().describe('What is known of it; null: nobody knows a price. Never 0 for unknown'),
  unpricedTokens: z.number().describe('Tokens whose cost nobody has told'),
})

/** What the daemon supervises: an agent, a workspace and a conversation. One live launch at a time. */
export const managedSession = z.strictObject({
  id: z.string(),
  name: z.string().nullable(),
  agent: z.string(),
  mode: z.enum(SESSION_MODES),
  model: z.string().nullable(),
  workspace,
  activity,
  launch: z.number().describe('The number of the newest launch'),
  isLive: z.boolean().describe('An agent process is there, or about to be'),
  pending: z.array(described<PendingInteraction>('PendingInteraction')).describe('What waits for an answer'),
  agentSessionId: z.string().nullable().describe("The agent's own id of the conversation"),
  transcriptPath: z.string().nullable(),
  title: z.string().nullable().describe('The first prompt'),
  summary: z.string().nullable().describe('The last answer'),
  usage: sessionUsage,
  outcome: described<Outcome>('Outcome').nullable().describe('How the newest launch ended'),
  createdAt: z.number(),
  updatedAt: z.number(),
})

export type SessionMode = (typeof SESSION_MODES)[number]
export type Workspace = z.infer<typeof workspace>
export type SessionUsage = z.infer<typeof sessionUsage>
export type ManagedSession = z.infer<typeof managedSession>
