import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { tinyMcpServer } from './index.ts'

test('the tiny MCP server lists and runs its tool, and ends with its input', () => {
  const { command, args } = tinyMcpServer()
  const messages = [
    { id: 1, method: 'initialize', params: { protocolVersion: '2024-11-05' } },
    { method: 'notifications/initialized' },
    { id: 2, method: 'tools/list' },
    { id: 3, method: 'tools/call', params: { name: 'echo', arguments: { text: 'ping' } } },
    { id: 4, method: 'resources/list' },
  ]
  const input = messages.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join('')
  const { stdout, status } = spawnSync(command, args, { input, encoding: 'utf8' })
  expect(status).toBe(0)
  const answers = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(answers.map((answer) => answer.id)).toEqual([1, 2, 3, 4])
  expect(answers[0].result.protocolVersion).toBe('2024-11-05')
  expect(answers[1].result.tools[0].name).toBe('echo')
  expect(answers[2].result.content).toEqual([{ type: 'text', text: 'pong:ping' }])
  expect(answers[3].error.code).toBe(-32601)
})
