import type { AgentEvent } from '../contract/events.ts'
import type { RanCommand } from './git-work.ts'
import { asNumber, asString, isRecord } from './json.ts'
import { withoutDocuments } from './shell-commands.ts'

const MOST_OPEN = 50
/** What matters is at the end of what a command prints. */
const MOST_CHARACTERS = 16 * 1024
/** Of all that are open: they are written with the session, at every page of records. */
const MOST_TOGETHER = 4 * MOST_CHARACTERS

/** Commands that run, by their call. Plain data, to be kept with a session. */
export type OpenCommands = Record<string, { command: string; output: string }>

/** Follows the calls of tools: which commands run after an event, and the one that it has ended. */
export function followCommands(open: OpenCommands, event: AgentEvent): { open: OpenCommands; ran: RanCommand | null } {
  switch (event.type) {
    case 'tool_call_ready': {
      const command = commandOf(event.input, event.toolName)
      const matters = command !== undefined && mayMatter(command)
      return { open: matters ? withCommand(open, event.toolCallId, command) : open, ran: null }
    }
    case 'shell_stdout_delta':
    case 'shell_stderr_delta': {
      const known = open[event.toolCallId ?? '']
      if (!known || event.toolCallId === undefined) return { open, ran: null }
      const output = (known.output + event.delta).slice(-MOST_CHARACTERS)
      return { open: bounded({ ...open, [event.toolCallId]: { ...known, output } }), ran: null }
    }
    case 'tool_result':
      return endCommand(open, event.toolCallId, textIn(event.output), false)
    case 'tool_error':
      return endCommand(open, event.toolCallId, event.error, true)
    // No command outlives its turn in what we know.
    case 'turn_start':
      return { open: {}, ran: null }
    default:
      return { open, ran: null }
  }
}

function withCommand(open: OpenCommands, toolCallId: string, command: string): OpenCommands {
  return bounded({ ...open, [toolCallId]: { command: shortened(command), output: '' } })
}

/** They are kept with the session, so that the oldest are forgotten where an agent leaves many open. */
function bounded(open: OpenCommands): OpenCommands {
  const kept = Object.entries(open).slice(-MOST_OPEN)
  let together = kept.reduce((sum, [, { command, output }]) => sum + command.length + output.length, 0)
  while (together > MOST_TOGETHER && kept.length > 1) {
    const [, oldest] = kept.shift() ?? []
    together -= oldest ? oldest.command.length + oldest.output.length : 0
  }
  return Object.fromEntries(kept)
}

/** A file that a command writes may be long, and so may a message: what it starts is before and after them. */
function shortened(command: string): string {
  const text = withoutDocuments(command)
  const half = MOST_CHARACTERS / 2
  return text.length <= MOST_CHARACTERS ? text : text.slice(0, half) + text.slice(-half)
}

function endCommand(open: OpenCommands, toolCallId: string, printed: string, failed: boolean) {
  const { [toolCallId]: known, ...rest } = open
  if (!known) return { open, ran: null }
  const output = printed.includes(known.output) ? printed : `${known.output}\n${printed}`
  return { open: rest, ran: { command: known.command, output, failed } }
}

function mayMatter(command: string): boolean {
  return /\b(git|gh|glab|hub|tea|curl)\b/.test(command)
}

/** Tools of MCP servers for GitHub and GitLab, as the command that does the same. */
const SERVER_TOOL = /(?:^|_)(create|merge)_(pull|merge)_request$/

/** What a tool was to run, by the names that agents have for it. */
export function commandOf(input: unknown, toolName = ''): string | undefined {
  if (!isRecord(input)) return undefined
  const [, verb] = SERVER_TOOL.exec(toolName) ?? []
  if (verb !== undefined) return `gh pr ${verb} ${verb === 'merge' ? (numberIn(input) ?? '$unknown') : ''}`.trim()
  const { command, cmd, script } = input
  const given = command ?? cmd ?? script
  if (Array.isArray(given)) {
    const words = given.flatMap((word) => asString(word) ?? [])
    // `["bash", "-lc", "git commit"]`
    return words.length === 3 && /^-\w*c$/.test(words[1] ?? '') ? words[2] : words.join(' ')
  }
  return asString(given)
}

function numberIn({ pullNumber, pull_number, merge_request_iid }: Record<string, unknown>): number | undefined {
  return [pullNumber, pull_number, merge_request_iid].map((one) => asNumber(Number(one))).find((one) => one)
}

/** All text that is in an output, whatever form the agent gives it. */
export function textIn(output: unknown): string {
  if (typeof output === 'string') return output
  if (Array.isArray(output)) return output.map(textIn).join('\n')
  if (isRecord(output)) return Object.values(output).map(textIn).filter(Boolean).join('\n')
  return ''
}
