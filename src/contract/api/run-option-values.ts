import { z } from 'zod'
import type { Attachment, EndpointOverride, McpServerConfig, ModelPrice, RetryPolicy } from '../run-options.ts'

const variables = z.record(z.string(), z.string())

export const attachment = z
  .object({
    filePath: z.string().optional(),
    url: z.string().optional(),
    base64: z.string().optional(),
    mimeType: z.string().optional(),
    name: z.string().optional(),
  })
  .describe('Exactly one of filePath, url and base64; base64 needs mimeType') satisfies z.ZodType<Attachment>

export const mcpServer = z.union([
  z.object({
    name: z.string(),
    transport: z.literal('stdio').optional(),
    command: z.string(),
    args: z.array(z.string()).optional(),
    env: variables.optional(),
  }),
  z.object({
    name: z.string(),
    transport: z.enum(['sse', 'streamable-http']),
    url: z.string(),
    headers: variables.optional(),
  }),
]) satisfies z.ZodType<McpServerConfig>

export const endpoint = z.strictObject({
  baseUrl: z.string(),
  apiKey: z.string(),
  protocol: z.enum(['anthropic', 'openai-responses', 'openai-chat', 'gemini']).optional(),
}) satisfies z.ZodType<EndpointOverride>

export const retryPolicy = z.strictObject({
  maxRetries: z.number().optional(),
  baseDelayMs: z.number().optional(),
  maxDelayMs: z.number().optional(),
  jitterFactor: z.number().optional(),
  retryOn: z.array(z.string().min(1)).optional(),
}) satisfies z.ZodType<RetryPolicy>

export const price = z.strictObject({
  input: z.number().nonnegative(),
  output: z.number().nonnegative(),
  cacheRead: z.number().nonnegative().optional(),
  cacheWrite: z.number().nonnegative().optional(),
}) satisfies z.ZodType<ModelPrice>

const policyMatch = z.strictObject({
  kind: z.enum(['read', 'edit', 'execute', 'fetch', 'mcp', 'other']).optional(),
  path: z.string().optional(),
  command: z.string().optional(),
  tool: z.string().optional(),
})

export const policy = z.strictObject({
  version: z.literal(1),
  rules: z.array(
    z.strictObject({
      allow: policyMatch.optional(),
      deny: policyMatch.optional(),
      ask: policyMatch.optional(),
      reason: z.string().optional(),
    }),
  ),
  default: z.enum(['allow', 'deny', 'ask']).optional(),
})
