import type { ToolMap } from '../kit/tools.ts'

export const TOOLS: ToolMap = {
  terminal: { kind: 'shell', command: 'command' },
  read_file: { kind: 'read', path: 'path' },
  write_file: { kind: 'write', path: 'path', content: 'content' },
  patch: { kind: 'patch', path: 'path' },
  delegate_task: { kind: 'subagent', agent: 'agent', prompt: 'goal' },
}
