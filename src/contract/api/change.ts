import { z } from 'zod'
import { described } from './described.ts'
import { managedSession, NOTIFICATION_KINDS } from './managed-session.ts'

/** A session wants a person. */
export const notification = z.strictObject({
  sessionId: z.string(),
  launch: z.number(),
  kind: z.enum(NOTIFICATION_KINDS),
  agent: z.string(),
  title: z.string().nullable(),
  message: z.string(),
  at: z.number(),
})

const seq = z.number().describe('Place in the log of all changes: the id of the server-sent event')

/** An event of an agent. `n` is its number among the records of its launch, and grows. */
export const eventChange = z.strictObject({
  seq,
  kind: z.literal('event'),
  sessionId: z.string(),
  launch: z.number(),
  n: z.number(),
  event: described('AgentEvent'),
  blobs: z.array(described('BlobReference')).optional().describe('Values that were too large and are cut in the event'),
})

/** What a person, or the daemon for them, has said to the agent. Agents do not report it in their streams. */
export const message = z.strictObject({ launch: z.number(), text: z.string(), at: z.number() })

/** One row of the log of changes: what `GET /events` sends, in this order, each exactly once. */
export const change = z.discriminatedUnion('kind', [
  eventChange,
  z.strictObject({ seq, kind: z.literal('session'), sessionId: z.string(), session: managedSession }),
  z.strictObject({ seq, kind: z.literal('message'), sessionId: z.string(), message }),
  z.strictObject({ seq, kind: z.literal('notification'), sessionId: z.string(), notification }),
  z.strictObject({ seq, kind: z.literal('removed'), sessionId: z.string() }),
  z
    .strictObject({ seq, kind: z.literal('reset'), sessionId: z.string().describe('Empty: of all sessions') })
    .describe('Changes up to this one are no longer kept, and this reader has missed some: read the state again'),
])

/** A notification, as the webhook gets it. */
export type Notification = z.infer<typeof notification>
/** Something that was said to the agent of a session. */
export type Message = z.infer<typeof message>
/** A change that is an event of a session. */
export type EventChange = z.infer<typeof eventChange>
/** One change in the daemon's log. */
export type Change = z.infer<typeof change>
