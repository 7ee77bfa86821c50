import type { ToolMap } from '../kit/tools.ts'

/** Tools of its extensions go by `<extension>__<tool>`, those of the platform by their own name. */
export const TOOLS: ToolMap = {
  shell: { kind: 'shell', command: 'command' },
  developer__shell: { kind: 'shell', command: 'command' },
  write: { kind: 'write', path: 'path', content: 'content' },
  edit: { kind: 'patch', path: 'path' },
  developer__text_editor: { kind: 'patch', path: 'path' },
}
