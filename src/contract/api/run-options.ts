import { z } from 'zod'
import type { Attachment, McpServerConfig, RunOptions } from '../run-options.ts'
import { described } from './described.ts'

const text = z.string().min(1)

/**
 * The part of `RunOptions` that can be given to the daemon. Only the shape is checked here; what a value means, and
 * whether the agent can honour it, is checked where every run is.
 */
export const daemonRunOptions = z.strictObject({
  systemPrompt: z.string().optional(),
  systemPromptMode: z.enum(['prepend', 'append', 'replace']).optional(),
  attachments: z.array(described<Attachment>('Attachment')).optional(),
  model: text.optional(),
  thinkingEffort: z.enum(['low', 'medium', 'high', 'xhigh', 'max']).optional(),
  thinkingBudgetTokens: z.number().optional(),
  temperature: z.number().optional(),
  topP: z.number().optional(),
  topK: z.number().optional(),
  maxTokens: z.number().optional(),
  maxOutputTokens: z.number().optional(),
  sessionId: text.optional().describe("Go on with this session of the agent's own"),
  forkSessionId: text.optional(),
  addDirs: z.array(text).optional(),
  env: z.record(z.string(), z.string()).optional(),
  passEnv: z.array(text).optional(),
  timeout: z.number().optional(),
  inactivityTimeout: z.number().optional(),
  maxTurns: z.number().optional(),
  maxCostUsd: z.number().positive().optional().describe('Of the whole session, over all its launches'),
  approvalMode: z.enum(['prompt', 'accept-edits', 'yolo', 'deny']).optional(),
  allowedTools: z.array(text).optional(),
  disallowedTools: z.array(text).optional(),
  skills: z.array(text).optional(),
  agentsDoc: z.string().optional(),
  mcpServers: z.array(described<McpServerConfig>('McpServerConfig')).optional(),
  endpoint: z
    .strictObject({
      baseUrl: z.string(),
      apiKey: z.string(),
      protocol: z.enum(['anthropic', 'openai-responses', 'openai-chat', 'gemini']).optional(),
    })
    .optional(),
  retryPolicy: z
    .strictObject({
      maxRetries: z.number().optional(),
      baseDelayMs: z.number().optional(),
      maxDelayMs: z.number().optional(),
      jitterFactor: z.number().optional(),
      retryOn: z.array(text).optional(),
    })
    .optional(),
  tags: z.array(text).optional(),
  projectId: text.optional(),
  profile: text.optional(),
  gracePeriodMs: z.number().optional(),
  keepOpen: z.boolean().optional().describe('Stay for more turns; unless told, wherever the agent can'),
}) satisfies z.ZodType<Partial<RunOptions>>

export type DaemonRunOptions = z.infer<typeof daemonRunOptions>
