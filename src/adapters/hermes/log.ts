import type { LogSign } from '../families/acp/profile.ts'

// Its log on stderr, as 0.19 writes it. ACP says nothing of retries.
const RETRY = /agent\.conversation_loop: Retrying API call in ([\d.]+)s \(attempt (\d+)\/(\d+)\) .*? error=(.*)$/
const COMPLETED = /agent\.tool_executor: tool (\S+) completed \(/
const FAILED = /agent\.tool_executor: Tool (\S+) returned error \([\d.]+s\): (.*)$/

/** 0.19 fails to report the ends of these by ACP: it takes their input, a text, for an object. */
const ENDS_HIDDEN = /^(?:write_file|patch|read_file|process|memory|skill_manage|browser_\w+)$/

export function logSign(line: string): LogSign | null {
  const [, seconds, attempt, most, reason = ''] = RETRY.exec(line) ?? []
  if (seconds !== undefined) {
    const delayMs = Math.round(Number(seconds) * 1000)
    return { retry: { attempt: Number(attempt), maxAttempts: Number(most) - 1, reason, delayMs } }
  }
  const [, toolName = '', error] = COMPLETED.exec(line) ?? FAILED.exec(line) ?? []
  return ENDS_HIDDEN.test(toolName) ? { ended: { toolName, error } } : null
}
