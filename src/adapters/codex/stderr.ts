import type { Effect } from '../../contract/dialogue.ts'

// biome-ignore lint/suspicious/noControlCharactersInRegex: the app server colours its log.
const COLOUR = /\x1b\[[0-9;]*m/g
const ROUTER = /ERROR codex_core::tools::router: error=(.*)$/
const NAMED_TOOL = /^unsupported (?:custom tool )?call: (\S+)|^(\w+) (?:is unavailable|failed)/
const PERMISSION = /approval policy|approval settings|blocked by .*sandbox|rejected by|requires approval/i

function toolOf(message: string): string {
  if (/^patch /.test(message)) return 'apply_patch'
  const named = NAMED_TOOL.exec(message)
  const tool = named?.[1] ?? named?.[2]
  return tool === undefined || tool === 'exec_command' ? 'shell' : tool
}

/** Reads the log: the only place where codex tells of calls that it refused before they began. */
export class StderrReader {
  #refused = 0
  readonly #asksUser: boolean

  /** `asksUser`: what the user rejects is told by the protocol as well, so it is left out here. */
  constructor(asksUser: boolean) {
    this.#asksUser = asksUser
  }

  read(line: string): Effect[] {
    const error = ROUTER.exec(line.replace(COLOUR, ''))?.[1]
    if (error === undefined || (this.#asksUser && /rejected by user\b(?! approval)/.test(error))) return []
    this.#refused += 1
    const toolCallId = `refused-${this.#refused}`
    const toolName = toolOf(error)
    const effects: Effect[] = [{ emit: { type: 'tool_call_start', toolCallId, toolName } }]
    if (PERMISSION.test(error)) {
      effects.push(
        {
          emit: {
            type: 'approval_request',
            interactionId: toolCallId,
            action: toolName,
            detail: error,
            toolName,
            toolCallId,
            riskLevel: 'medium',
          },
        },
        { emit: { type: 'approval_denied', interactionId: toolCallId, reason: error } },
      )
    }
    effects.push({ emit: { type: 'tool_error', toolCallId, toolName, error } })
    return effects
  }
}
