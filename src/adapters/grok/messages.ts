import type { Dialogue, Effect } from '../../contract/dialogue.ts'
import type { RunOptions } from '../../contract/run-options.ts'
import type { ClaudeDialect } from '../families/claude-stream/dialect.ts'
import { claudeStreamDialogue } from '../families/claude-stream/dialogue.ts'
import { PLAIN_DIALECT } from '../families/claude-stream/plain-dialect.ts'
import { GUIDANCE } from './profile.ts'
import { TOOLS, toolOutcome } from './tools.ts'

/** `--output-format streaming-messages-json`, which no run of ours asks for, but recordings hold. */
const dialect: ClaudeDialect = {
  ...PLAIN_DIALECT,
  agent: 'grok',
  displayName: 'Grok',
  tools: TOOLS,
  questionTool: 'ask_user_question',
  wholeBlock: 'after-stop',
  usage: 'result',
  guidance: GUIDANCE,
  toolOutcome,
}

/** A price that the CLI does not know is 0 in its records. */
function isPriced(effect: Effect): boolean {
  return !('emit' in effect && effect.emit.type === 'cost' && effect.emit.cost.totalUsd === 0)
}

function withoutZero(effect: Effect): Effect {
  if (!('emit' in effect) || effect.emit.type !== 'token_usage' || effect.emit.costUsd !== 0) return effect
  return { emit: { ...effect.emit, costUsd: undefined } }
}

export function messagesDialogue(options: RunOptions): Dialogue {
  const dialogue = claudeStreamDialogue(dialect, { ...options, nonInteractive: true })
  return {
    ...dialogue,
    onLine: (line, source) => dialogue.onLine(line, source).filter(isPriced).map(withoutZero),
  }
}
