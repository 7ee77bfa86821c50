import { expect, test } from 'vitest'
import adapter from './index.ts'

test('the prompt by stdin, a thread by its id', () => {
  const { args, stdin, files } = adapter.buildSpawnArgs({ prompt: 'hi', sessionId: 'T-1', model: 'high' })
  expect(args.slice(0, 5)).toEqual(['threads', 'continue', 'T-1', '--execute', '--stream-json'])
  expect(args.slice(-2)).toEqual(['--mode', 'high'])
  expect([stdin, files]).toEqual(['hi', []])
})

test('an approval mode is a settings file', () => {
  const settings = (approvalMode: 'yolo' | 'deny' | 'accept-edits') =>
    JSON.parse(adapter.buildSpawnArgs({ prompt: 'hi', approvalMode }).files?.[0]?.content ?? '')
  expect(settings('yolo')).toEqual({ 'amp.dangerouslyAllowAll': true })
  expect(settings('deny')).toEqual({ 'amp.permissions': [{ tool: '*', action: 'reject' }] })
  expect(settings('accept-edits')['amp.permissions']).toContainEqual({ tool: 'edit_file', action: 'allow' })
})

test('servers go into a file, and what it cannot do is refused', () => {
  const mcpServers = [{ name: 'tiny', command: 'tiny', env: { KEY: 'secret' } }]
  const { args, files } = adapter.buildSpawnArgs({ prompt: 'hi', mcpServers })
  expect(args).toContain('{file:mcp.json}')
  expect(args.join(' ')).not.toContain('secret')
  expect(files?.[0]?.content).toContain('secret')
})
