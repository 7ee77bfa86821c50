import { expect, it } from 'vitest'
import { jointAccess, toolAccess } from './tool-access.ts'
import type { ToolMap } from './tools.ts'

const TOOLS: ToolMap = {
  Bash: { kind: 'shell', command: 'command' },
  run_commands: { kind: 'shell', command: 'commands', separator: '\n' },
  Read: { kind: 'read', path: 'file' },
  Write: { kind: 'write', path: 'file', content: 'content' },
  ApplyPatch: { kind: 'patch_text', patch: 'input' },
  Task: { kind: 'subagent', agent: 'agent', prompt: 'prompt' },
}

it.each([
  ['Bash', { command: 'ls' }, { kind: 'execute', paths: [], command: 'ls' }],
  ['run_commands', { commands: ['ls', 'rm x'] }, { kind: 'execute', paths: [], command: 'ls\nrm x' }],
  ['Read', { file: ['a', { path: 'b' }] }, { kind: 'read', paths: ['a', 'b'] }],
  ['Write', { file: 'a', content: 'x' }, { kind: 'edit', paths: ['a'] }],
  ['Write', {}, { kind: 'edit', paths: [] }],
  [
    'ApplyPatch',
    { input: '*** Begin Patch\n*** Update File: a\n*** Move to: b\n@@\n*** Add File: c\n+x\n*** End Patch' },
    { kind: 'edit', paths: ['a', 'b', 'c'] },
  ],
  ['mcp__files__read', { path: 'x' }, { kind: 'mcp', paths: [] }],
  ['WebFetch', { url: 'https://example.com' }, { kind: 'fetch', paths: [] }],
  ['Grep', { pattern: 'x' }, { kind: 'read', paths: [] }],
  ['Task', { agent: 'x' }, { kind: 'other', paths: [] }],
  ['constructor', {}, { kind: 'other', paths: [] }],
])('%s %j', (toolName, input, access) => {
  expect(toolAccess(TOOLS, toolName, input)).toEqual(access)
})

it('joins several calls of one kind, and does not guess at a mixture', () => {
  const shell = (command: string) => toolAccess(TOOLS, 'Bash', { command })
  const write = toolAccess(TOOLS, 'Write', { file: 'a' })
  expect(jointAccess([shell('ls'), shell('rm x')])).toEqual({ kind: 'execute', paths: [], command: 'ls\nrm x' })
  expect(jointAccess([write, toolAccess(TOOLS, 'Write', { file: 'b' })])).toEqual({ kind: 'edit', paths: ['a', 'b'] })
  expect(jointAccess([shell('ls'), write])).toEqual({ kind: 'other' })
  expect(jointAccess([write, toolAccess(TOOLS, 'Write', {})])).toEqual({ kind: 'other' })
})
