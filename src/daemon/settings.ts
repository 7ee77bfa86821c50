import { join } from 'node:path'
import { z } from 'zod'
import { NOTIFICATION_KINDS } from '../contract/api/managed-session.ts'
import { AgentMuxError } from '../contract/errors.ts'
import { readConfig } from '../mux/defaults.ts'

const kinds = z.array(z.enum(NOTIFICATION_KINDS)).default([...NOTIFICATION_KINDS])

const settings = z.strictObject({
  /** Taken when it is free; else any other. */
  port: z.number().int().min(1).max(65_535).default(7417),
  /** Live sessions at a time; more wait in a queue. */
  maxLive: z.number().int().min(1).default(64),
  /** Of all sessions together, by the local day. */
  dailyBudgetUsd: z.number().positive().optional(),
  /** A session that was stopped by a limit goes on by itself when the limit is over. */
  resumeAfterLimit: z.boolean().default(true),
  /** The log of changes is cut off at its old end when it is longer than this. */
  keepChanges: z.number().int().min(1000).default(1_000_000),
  /** What an agent says in one launch is kept up to this; then it is ended. */
  maxLogBytes: z
    .number()
    .int()
    .min(1_000_000)
    .default(1024 ** 3),
  notify: z
    .strictObject({
      /** POSTed to as JSON. */
      webhook: z.url({ protocol: /^https?$/ }).optional(),
      /** With which what is posted is signed, so that the receiver knows whom it comes from. */
      webhookSecret: z.string().min(16, 'at least 16 characters').optional(),
      /** A program and its arguments; the notification comes by AMUX_NOTIFY_* variables. */
      command: z.array(z.string()).min(1).optional(),
      on: kinds,
    })
    .default({ on: [...NOTIFICATION_KINDS] }),
})

export type DaemonSettings = z.infer<typeof settings>

/** `daemon` in the user's config.json. */
export function readDaemonSettings(configDir: string): DaemonSettings {
  const path = join(configDir, 'config.json')
  const parsed = settings.safeParse(readConfig(configDir).daemon ?? {})
  if (parsed.success) return parsed.data
  const faults = parsed.error.issues.map((issue) => `daemon.${issue.path.join('.')}: ${issue.message}`)
  throw new AgentMuxError('CONFIG_ERROR', `${path}: ${faults.join('; ')}`, {
    hint: 'Mend the file; nothing was changed.',
  })
}
