import { z } from 'zod'
import { MAX_TERMINAL_LENGTH } from '../launch.ts'
import { change, notification } from './change.ts'
import { described } from './described.ts'
import { leftover } from './leftover.ts'
import { activity, managedSession, SESSION_MODES, sessionUsage } from './managed-session.ts'
import { place } from './place.ts'
import { quota } from './quota.ts'
import type { RouteName } from './routes.ts'
import { daemonRunOptions, secretRunOptions } from './run-options.ts'

const nothing = z.strictObject({})
const done = z.strictObject({ ok: z.literal(true) })
const id = z.string().min(1).max(100)
const byId = z.strictObject({ id })
const agent = z.string().min(1).max(100)
const key = z
  .string()
  .min(1)
  .max(200)
  .optional()
  .describe('Idempotency key: the same request with the same key is carried out once')
const environment = z
  .record(z.string(), z.string())
  .optional()
  .describe("Variables for the agent, over the daemon's own. Never written to disk")

// Query parameters come as text.
const count = z.coerce.number<number>().int().min(0)
const limit = count.max(1000).optional()
const time = z.coerce.number<number>().optional().describe('Epoch milliseconds')
const flag = z.union([z.boolean(), z.stringbool()]).optional()
const words = z
  .string()
  .transform((text) => text.split(','))
  .optional()

const terminalLength = z.number().int().min(1).max(MAX_TERMINAL_LENGTH)
const prompt = z.string().max(4_000_000)

export const restorePlan = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('native'), agentSessionId: z.string(), why: z.string() }),
  z.strictObject({ kind: z.literal('replay'), why: z.string() }),
  z.strictObject({ kind: z.literal('fresh'), why: z.string() }),
  z.strictObject({ kind: z.literal('impossible'), why: z.string() }),
])

export const run = z.strictObject({
  id,
  sessionId: z.string(),
  launch: z.number(),
  agent: z.string(),
  state: z.enum(['queued', 'starting', 'running', 'ended']),
  origin: z.enum(['spawn', 'native', 'replay', 'fresh']).describe('spawn, or how the conversation was brought back'),
  createdAt: z.number(),
  startedAt: z.number().nullable(),
  endedAt: z.number().nullable(),
  records: z.number().describe('Records that were taken in so far'),
  result: described('RunResult').nullable(),
})

const sent = z
  .strictObject({
    after: z.number().describe('The newest change before it'),
    turns: z.number().describe('What comes of it is over when so many turns have ended since'),
  })
  .describe('Where to find what comes of it. With a key that was used before: where it was found then')

const usageRow = sessionUsage.extend({ key: z.string(), sessions: z.number() })

const agentInfo = described('Agent')

/** What goes in and out of each route. Path parameters, query and body are one flat `input`. */
export const SCHEMAS = {
  health: {
    input: nothing,
    output: z.strictObject({
      ok: z.literal(true),
      version: z.string(),
      pid: z.number(),
      startedAt: z.number(),
      dataDir: z.string(),
      live: z.number().describe('Live sessions'),
      queued: z.number().describe('Launches that wait for a free place'),
      lastSeq: z.number().describe('Newest change'),
      lastId: z.string().describe('The id of the newest change'),
    }),
  },
  shutdown: { input: nothing, output: done },

  listSessions: {
    input: z.strictObject({ agent: agent.optional(), live: flag, limit }),
    output: z.array(managedSession),
  },
  spawn: {
    input: z.strictObject({
      key,
      agent,
      prompt: prompt.optional().describe('May be left out in terminal mode'),
      mode: z.enum(SESSION_MODES).optional(),
      name: z
        .string()
        .regex(/^\w[\w.-]{0,59}$/, 'letters, digits, "_", "." and "-", at most 60, the first no "." or "-"')
        .optional(),
      cwd: z.string().min(1).describe('Absolute path of the directory to work in'),
      worktree: z
        .strictObject({ base: z.string().min(1).optional() })
        .optional()
        .describe('Give the agent a git worktree of its own, on a branch of its own'),
      options: daemonRunOptions.optional(),
      environment,
      size: z.strictObject({ cols: terminalLength, rows: terminalLength }).optional(),
    }),
    output: managedSession,
  },
  getSession: { input: byId, output: managedSession },
  removeSession: {
    input: byId,
    output: z.strictObject({ ok: z.literal(true), preserved: z.string().nullable().describe('Ref with unsaved work') }),
  },
  send: {
    input: z.strictObject({
      id,
      key,
      text: prompt.min(1),
      when: z
        .enum(['now', 'next-turn', 'steer'])
        .optional()
        .describe('now: a turn, refused while one is under way. next-turn: after it. steer: into it'),
    }),
    output: managedSession.extend({ sent: sent.optional() }),
  },
  interrupt: { input: byId, output: managedSession },
  pause: { input: byId, output: managedSession },
  resume: { input: byId, output: managedSession },
  setModel: { input: z.strictObject({ id, model: z.string().min(1) }), output: managedSession },
  kill: { input: byId, output: managedSession },
  planRestore: { input: byId, output: restorePlan },
  restore: {
    input: z.strictObject({
      id,
      key,
      prompt: prompt.optional(),
      as: z.enum(['native', 'replay', 'fresh']).optional().describe('Insist on one way'),
      options: secretRunOptions
        .optional()
        .describe('What may hold secrets, and is kept only as long as the daemon lives'),
      environment,
    }),
    output: z.strictObject({ plan: restorePlan, session: managedSession }),
  },
  approvals: { input: byId, output: managedSession.shape.pending },
  answer: {
    input: z.strictObject({
      id,
      interactionId: z.string().min(1).describe('"oldest" for the one that waits longest'),
      decision: z.enum(['approve', 'deny', 'text']),
      text: z.string().optional().describe('The answer, or the reason'),
    }),
    output: managedSession,
  },
  activity: {
    input: byId,
    output: z.strictObject({ activity, evidence: z.array(described('Fact')).describe('The facts, newest first') }),
  },
  screen: { input: byId, output: described('ScreenText') },
  sessionEvents: {
    input: z.strictObject({ id, after: place.optional(), limit }),
    output: z.strictObject({
      changes: z.array(change),
      lastSeq: z.number(),
      lastId: z.string().describe('Where to go on: as `after`, here or in the stream'),
    }),
  },

  listRuns: {
    input: z.strictObject({ session: id.optional(), agent: agent.optional(), limit }),
    output: z.array(run),
  },
  getRun: { input: byId, output: run },

  listTranscripts: {
    input: z.strictObject({ agent: agent.optional(), since: time, until: time, cwd: z.string().optional(), limit }),
    output: z.array(described('SessionSummary')),
  },
  searchTranscripts: {
    input: z.strictObject({ text: z.string().min(1), agent: agent.optional(), since: time, until: time, limit }),
    output: z.array(described('SessionSummary')),
  },
  getTranscript: {
    input: z.strictObject({ agent, sessionId: z.string().min(1) }),
    output: described('Session'),
  },

  listAgents: { input: nothing, output: z.array(agentInfo) },
  getAgent: {
    input: z.strictObject({ agent }),
    output: z.strictObject({
      info: agentInfo,
      capabilities: described('AgentCapabilities'),
      models: z.array(described('ModelCapabilities')),
    }),
  },

  usage: {
    input: z.strictObject({
      by: z.enum(['session', 'agent', 'model', 'day']).optional(),
      since: time,
      until: time,
      agents: words,
    }),
    output: z.strictObject({ total: sessionUsage, rows: z.array(usageRow) }),
  },
  quota: {
    input: z.strictObject({ ask: flag.describe('Ask the CLIs, too, at most once in five minutes') }),
    output: z.array(quota),
  },
  unpark: {
    input: z.strictObject({
      agent: agent.optional().describe('Only of this agent'),
      account: z.string().max(100).optional().describe('Only this account, by its id'),
    }),
    output: z.array(quota).describe('What was parked'),
  },

  listAuth: { input: nothing, output: z.array(described('AuthState')) },
  getAuth: {
    input: z.strictObject({ agent }),
    output: z.strictObject({
      state: described('AuthState'),
      guidance: described('AuthSetupGuidance'),
    }),
  },

  leftovers: {
    input: z.strictObject({ cwd: z.string().optional().describe('Look into the repository of this directory, too') }),
    output: z.array(leftover),
  },
  notifications: {
    input: z.strictObject({ limit }),
    output: z.array(notification),
  },
} satisfies Record<RouteName, { input: z.ZodType; output: z.ZodType }>

export type Schemas = typeof SCHEMAS
/** What a caller gives to a route: see `Routes`. */
export type Input<Name extends RouteName> = z.input<Schemas[Name]['input']>
/** What a handler gets: checked, and in its own types. */
export type Checked<Name extends RouteName> = z.output<Schemas[Name]['input']>
/** The answer of a route of the daemon: see `Routes`. */
export type Answer<Name extends RouteName> = z.output<Schemas[Name]['output']>
/** What `client.call` takes and gives for each route. */
export type Routes = { [Name in RouteName]: (input: Input<Name>) => Answer<Name> }
/** How the conversation of a session can come back. */
export type RestorePlan = z.infer<typeof restorePlan>
/** One run of a managed session. */
export type RunInfo = z.infer<typeof run>
