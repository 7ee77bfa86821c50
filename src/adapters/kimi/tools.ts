import { parseRecords, textOf } from '../../core/json.ts'
import { inputField } from '../kit/tool-files.ts'
import type { ToolCall, ToolMap, ToolOutcome } from '../kit/tools.ts'

export const TOOLS: ToolMap = {
  Bash: { kind: 'shell', command: 'command' },
  Read: { kind: 'read', path: 'path' },
  Write: { kind: 'write', path: 'path', content: 'content' },
  Edit: { kind: 'patch', path: 'path' },
  Agent: { kind: 'subagent', agent: 'subagent_type', prompt: 'prompt' },
  Skill: { kind: 'skill', skill: 'skill' },
}

export const DENIED = /^Tool ".*" was denied by permission/
const COMMAND_FAILED = /\n?Command failed with exit code: (\d+)\.$/
const COMMAND_SAID_NOTHING = 'Command executed successfully.'

/** What a call of these says when it went well (2.1.0): whatever else they say is a failure. */
const WENT_WELL: Readonly<Record<string, RegExp>> = {
  Write: /^(?:Wrote|Appended) \d+ bytes to /,
  Edit: /^Replaced \d+ /,
}

/** The stream reports only the text that the model sees: how a call ended is in its words. */
export function toolOutcome(call: ToolCall, content: string): ToolOutcome {
  const output = plainText(content)
  if (hasFailed(call, output)) return { output, error: output }
  const failed = COMMAND_FAILED.exec(output)
  if (!failed) return { output, stdout: output === COMMAND_SAID_NOTHING ? '' : output }
  return { output, error: output, stdout: output.slice(0, failed.index), exitCode: Number(failed[1]) }
}

function hasFailed({ toolName, input }: ToolCall, output: string): boolean {
  if (DENIED.test(output)) return true
  // The lines of a file have their numbers before them.
  if (toolName === 'Read') return output.startsWith(`"${inputField(input, 'path')}" `)
  return WENT_WELL[toolName]?.test(output) === false
}

/** Several parts come as JSON. */
function plainText(content: string): string {
  if (!content.startsWith('[{"type":')) return content
  return textOf(parseRecords(content)) || content
}
