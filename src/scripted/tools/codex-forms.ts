import type { ToolIntent } from '../types.ts'

/** A patch that adds a file, in the format of codex's freeform `apply_patch`. */
export const addFilePatch = (path: string, content: string): string => {
  const lines = content.replace(/\n$/, '').split('\n')
  return ['*** Begin Patch', `*** Add File: ${path}`, ...lines.map((line) => `+${line}`), '*** End Patch', ''].join(
    '\n',
  )
}

/** Single quotes keep a path one shell word. */
const quoted = (path: string): string => `'${path.replaceAll("'", "'\\''")}'`

/**
 * JavaScript for the freeform `exec` tool of newer codex models ("code mode"), where the other tools are functions on
 * `tools`. Undefined where code mode has no function for the intent, because the tool is declared beside `exec`.
 */
export const execScript = (intent: ToolIntent): string | undefined => {
  const call = (name: string, input: unknown, part = ''): string =>
    `const result = await tools.${name}(${JSON.stringify(input)})\ntext(result${part})\n`
  switch (intent.intent) {
    case 'shell':
      return call(
        'exec_command',
        {
          cmd: intent.command,
          yield_time_ms: 30_000,
          ...(intent.escalate && {
            sandbox_permissions: 'require_escalated',
            justification: 'The scripted model asks for approval.',
          }),
        },
        '.output',
      )
    case 'read':
      return call('exec_command', { cmd: `cat ${quoted(intent.path)}` }, '.output')
    case 'write':
      return call('apply_patch', addFilePatch(intent.path, intent.content))
    case 'mcp':
      return call(`mcp__${intent.server}__${intent.tool}`.replaceAll(/[^A-Za-z0-9_$]/g, '_'), intent.input)
    default:
      return undefined
  }
}
