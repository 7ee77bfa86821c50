import type { ToolMap } from '../kit/tools.ts'

export const TOOLS: ToolMap = {
  Bash: { kind: 'shell', command: 'command' },
  Read: { kind: 'read', path: 'file_path' },
  Write: { kind: 'write', path: 'file_path', content: 'content' },
  Edit: { kind: 'patch', path: 'file_path' },
  NotebookEdit: { kind: 'patch', path: 'notebook_path' },
  Agent: { kind: 'subagent', agent: 'subagent_type', prompt: 'prompt' },
}
