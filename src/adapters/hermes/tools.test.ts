import { expect, test } from 'vitest'
import { logSign } from './log.ts'
import { nameInTitle, shellResult } from './tools.ts'

test('the result of a command without what is said around it', () => {
  const noted = '\n- **approval:** Command required approval and was approved by the user.'
  expect(shellResult(`terminal result\n- **output:** a\n\nb\n- **exit_code:** 0${noted}`)).toEqual({
    output: 'a\n\nb',
    exitCode: 0,
  })
  expect(shellResult('terminal result\n- **exit_code:** 2')).toEqual({ output: '', exitCode: 2 })
  expect(shellResult('terminal failed: BLOCKED')).toEqual({ output: 'BLOCKED' })
  expect(shellResult('something else')).toBeNull()
})

test('tools by their titles', () => {
  expect(nameInTitle('terminal: ls')).toBe('terminal')
  expect(nameInTitle('patch (replace): a.ts')).toBe('patch')
  expect(nameInTitle('mcp_tiny_echo')).toBeUndefined()
})

test('its log: retries, and the ends that ACP leaves out', () => {
  const at = '2026-11-18 13:33:52 [WARNING] agent.'
  const retry = `${at}conversation_loop: Retrying API call in 2.32s (attempt 1/3) thread=x error=Error code: 500 - {}`
  expect(logSign(retry)).toEqual({
    retry: { attempt: 1, maxAttempts: 2, reason: 'Error code: 500 - {}', delayMs: 2320 },
  })
  expect(logSign(`${at}tool_executor: tool write_file completed (0.10s, 224 chars)`)).toEqual({
    ended: { toolName: 'write_file', error: undefined },
  })
  const failed = `${at}tool_executor: Tool read_file returned error (0.01s): {"error": "File not found"}`
  expect(logSign(failed)).toEqual({ ended: { toolName: 'read_file', error: '{"error": "File not found"}' } })
  // The end of a command is reported over ACP, with its output.
  expect(logSign(`${at}tool_executor: tool terminal completed (1.10s, 4 chars)`)).toBeNull()
})
