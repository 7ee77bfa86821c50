import type { RunFile } from '../../../contract/spawn.ts'

/** The extension of one run, as a file and the arguments that load it; nothing when there is nothing in it. */
export function extensionFlags(statements: readonly string[], files: RunFile[]): string[] {
  if (statements.length === 0) return []
  files.push({ name: 'agent-mux.mjs', content: `export default function (pi) {${statements.join('\n')}\n}\n` })
  return ['-e', '{file:agent-mux.mjs}']
}
