import { z } from 'zod'
import { EVIDENCE_SOURCES } from '../activity.ts'
import type { GitWork } from '../git-work.ts'
import { described } from './described.ts'

export const SESSION_MODES = ['headless', 'terminal'] as const
/** `queued` and `parked`: there is no agent process yet. */
export const ACTIVITY_STATES = [
  ...(['queued', 'parked', 'spawning', 'active', 'idle', 'waiting_input', 'blocked', 'exited', 'unknown'] as const),
] as const
/** What a person may be notified of. The last four are ends of turns. */
export const NOTIFICATION_KINDS = ['blocked', 'waiting', 'finished', 'failed', 'limited', 'interrupted'] as const

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
})

export const turn = z.strictObject({
  startedAt: z.number(),
  endedAt: z.number().nullable(),
  outcome: described('Outcome').nullable().describe('Null while it is under way'),
})

export const gitWork = z.strictObject({
  branch: z.string().nullable().describe('The branch that it last made, switched to, committed on or pushed'),
  commits: z.array(z.strictObject({ hash: z.string(), subject: z.string() })).describe('Oldest first'),
  pullRequests: z.array(
    z.strictObject({ url: z.string(), number: z.number(), state: z.enum(['open', 'merged', 'closed']) }),
  ),
}) satisfies z.ZodType<GitWork>

export const limit = z.strictObject({
  until: z.number().nullable().describe('When it will be over; null: not known'),
  why: z.string(),
  needs: z
    .string()
    .optional()
    .describe('Why the session does not continue by itself when the limit is over, and what to do'),
})

export const waiting = z.strictObject({
  for: z
    .enum(['place', 'limit', 'budget'])
    .describe('A free place among the live sessions, the end of a limit, or a new day with a new budget'),
  position: z.number().describe('Place in the queue, from 1'),
  until: z.number().nullable().describe('When it will be over; null: not known'),
  why: z.string(),
})

export const attention = z.strictObject({
  kind: z.enum(['blocked', 'waiting', 'failed', 'limited']),
  message: z.string(),
  until: z.number().nullable().describe('Of a limit: when it will be over; null: not known'),
})

export const sessionUsage = z.strictObject({
  inputTokens: z.number(),
  outputTokens: z.number(),
  cacheReadTokens: z.number(),
  cacheCreationTokens: z.number(),
  turns: z.number(),
  costUsd: z.number().nullable().describe('What is known of it; null: nobody knows a price. Never 0 for unknown'),
  isEstimated: z.literal(true).optional().describe('costUsd, or a part of it, is by list prices'),
  unpricedTokens: z.number().describe('Tokens whose cost is unknown'),
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
  pending: z.array(described('PendingInteraction')).describe('What waits for an answer'),
  agentSessionId: z.string().nullable().describe("The agent's own id of the conversation"),
  transcriptPath: z.string().nullable(),
  title: z.string().nullable().describe("The agent's own title or summary of the conversation, else the first prompt"),
  summary: z.string().nullable().describe('The last answer'),
  summaryIsFallback: z.boolean().describe('The agent has no title or summary of its own: title is the first prompt'),
  usage: sessionUsage,
  outcome: described('Outcome')
    .nullable()
    .describe('How the newest launch ended: as its last turn did. Null while it lives'),
  turn: turn.nullable().describe('The newest turn of the newest launch'),
  lastError: z.string().nullable().describe('What last went wrong in the newest turn'),
  limit: limit.nullable().describe('The limit that has stopped the newest turn'),
  git: gitWork.describe('What the agent has done with git and pull requests, as its commands show'),
  waiting: waiting.nullable().describe('What a session waits for that has not started yet'),
  attention: attention.nullable().describe('What a person should know or do now; null: nothing'),
  createdAt: z.number(),
  updatedAt: z.number(),
})

/** Whether a session is headless or in a terminal. */
export type SessionMode = (typeof SESSION_MODES)[number]
/** What a notification is about. */
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number]
export type Attention = z.infer<typeof attention>
export type Waiting = z.infer<typeof waiting>
/** The directory that an agent works in. */
export type Workspace = z.infer<typeof workspace>
/** Tokens and cost of a session. */
export type SessionUsage = z.infer<typeof sessionUsage>
/** A session that the daemon supervises. */
export type ManagedSession = z.infer<typeof managedSession>
