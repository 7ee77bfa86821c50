import type { ToolMap } from '../kit/tools.ts'

export const TOOLS: ToolMap = {
  bash: { kind: 'shell', command: 'command' },
  read: { kind: 'read', path: 'path' },
  write: { kind: 'write', path: 'path', content: 'content' },
  edit: { kind: 'patch', path: 'path' },
}
