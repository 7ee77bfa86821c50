import type { ToolMap } from '../kit/tools.ts'

export const TOOLS: ToolMap = {
  run_command: { kind: 'shell', command: 'CommandLine' },
  view_file: { kind: 'read', path: 'AbsolutePath' },
  write_to_file: { kind: 'write', path: 'TargetFile', content: 'CodeContent' },
  replace_file_content: { kind: 'patch', path: 'TargetFile' },
}
