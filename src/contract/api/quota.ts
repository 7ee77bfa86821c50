import { z } from 'zod'
import { described } from './described.ts'

/** Whose limits are used. */
export const account = z.strictObject({
  id: z.string(),
  endpoint: z.string().nullable().describe('Where requests go; null: where the agent sends them by itself'),
  key: z.string().nullable().describe('A hash of the key; null: none was given, as with a sign-in'),
  profile: z.string().nullable(),
})

/** What is known about the limits of one account of an agent. What is unknown is null. */
export const quota = z.strictObject({
  agent: z.string(),
  account: account.nullable().describe('Null: what the CLI reports about its own sign-in'),
  parkedUntil: z.number().nullable().describe('Launches with this account wait until then'),
  why: z.string().nullable().describe('Why it is parked, or at a limit without a known end'),
  status: described('QuotaStatus').nullable().describe('The windows of the plan, where the agent reports them'),
})

export type Account = z.infer<typeof account>
export type Quota = z.infer<typeof quota>
