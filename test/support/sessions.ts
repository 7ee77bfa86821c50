import { fileURLToPath } from 'node:url'
import { loadAdapterFor } from '../../src/adapters/index.ts'
import type { Session, SessionMessage } from '../../src/contract/sessions.ts'

/** A session that a real CLI once wrote, from the fixtures of its adapter. */
export async function recordedSession(agent: string, name: string): Promise<Session> {
  const adapter = await loadAdapterFor(agent, {})
  const path = fileURLToPath(new URL(`../../src/adapters/${agent}/fixtures/sessions/${name}.jsonl`, import.meta.url))
  return adapter.parseSessionFile(path)
}

export function session(messages: SessionMessage[], overrides: Partial<Session> = {}): Session {
  return {
    agent: 'claude',
    sessionId: 'one',
    unifiedId: 'claude:one',
    title: messages[0]?.content ?? '',
    createdAt: Date.UTC(2026, 10, 1, 8),
    updatedAt: Date.UTC(2026, 10, 1, 9),
    turnCount: messages.filter(({ role }) => role === 'user').length,
    tags: [],
    messages,
    ...overrides,
  }
}

export const user = (content: string): SessionMessage => ({ role: 'user', content })

export const assistant = (content: string, toolCalls?: SessionMessage['toolCalls']): SessionMessage => ({
  role: 'assistant',
  content,
  ...(toolCalls ? { toolCalls } : {}),
})

let calls = 0

export function call(toolName: string, input: unknown, output?: unknown) {
  calls += 1
  return { toolCallId: `call-${calls}`, toolName, input, ...(output === undefined ? {} : { output }) }
}
