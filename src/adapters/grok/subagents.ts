import type { Dialogue, Effect } from '../../contract/dialogue.ts'
import { NO_EFFECTS } from '../../core/effects.ts'
import { asRecord, asRecords, asString, type JsonRecord, parseRecord, textOf } from '../../core/json.ts'
import { BACKGROUND } from './tools.ts'

/** Is in every line about sub-agents. Before the first such line none need be parsed twice. */
const TELLING = 'ubagent'

/**
 * Grok reports sub-agents by notices of its own, beside the protocol: their words come in sessions of their own, and
 * the call that has started one in the background ends long before it does.
 */
export function withSubagents(dialogue: Dialogue): Dialogue {
  /** Sessions of sub-agents. */
  const sessions = new Set<string>()
  /** Those at work in the background, by their id: the call that has started each. */
  const calls = new Map<string, string>()
  /** The agent would end with its input, and they with it. */
  let closesLater = false

  const learn = (update: JsonRecord): Effect[] => {
    switch (update.sessionUpdate) {
      case 'subagent_spawned':
        sessions.add(textOf(update.child_session_id))
        return NO_EFFECTS
      case 'tool_call_update': {
        const text = asRecords(update.content).map(({ content }) => textOf(asRecord(content)?.text))
        const subagentId = BACKGROUND.exec(text.join(''))?.[1]
        if (subagentId !== undefined) calls.set(subagentId, textOf(update.toolCallId))
        return NO_EFFECTS
      }
      case 'subagent_finished':
        return finished(update)
      default:
        return NO_EFFECTS
    }
  }

  const finished = ({ subagent_id, status, output, error }: JsonRecord): Effect[] => {
    const subagentId = calls.get(textOf(subagent_id))
    // The call of one in the foreground reports the same.
    if (subagentId === undefined) return NO_EFFECTS
    calls.delete(textOf(subagent_id))
    const subagent = { subagentId, agentName: 'spawn_subagent' }
    if (status === 'completed') return [{ emit: { type: 'subagent_result', ...subagent, summary: textOf(output) } }]
    return [{ emit: { type: 'subagent_error', ...subagent, error: asString(error) ?? textOf(status) } }]
  }

  /** The input stays open as long as one of them works. */
  const keptOpen = (effects: Effect[]): Effect[] => {
    if (calls.size === 0) {
      const isDue = closesLater
      closesLater = false
      return isDue ? [...effects, { closeStdin: true }] : effects
    }
    const kept = effects.filter((effect) => !('closeStdin' in effect))
    closesLater ||= kept.length < effects.length
    return kept
  }

  return {
    ...dialogue,
    onLine(line, source) {
      if (sessions.size === 0 && !line.includes(TELLING)) return dialogue.onLine(line, source)
      const params = asRecord(parseRecord(line)?.params)
      if (sessions.has(asString(params?.sessionId) ?? '')) return NO_EFFECTS
      return keptOpen([...dialogue.onLine(line, source), ...learn(asRecord(params?.update) ?? {})])
    },
    onCommand(command) {
      // Who stops the agent waits for nobody.
      if (command.type === 'interrupt') calls.clear()
      const effects = dialogue.onCommand(command)
      return effects && keptOpen(effects)
    },
    busy: () => calls.size > 0 || (dialogue.busy?.() ?? false),
  }
}
