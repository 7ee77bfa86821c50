import { serializeEvent } from '../../../contract/event-guards.ts'
import type { AgentEvent } from '../../../contract/events.ts'
import { defineCommand, refuseExtra, usageError } from '../../command.ts'
import { countOf } from '../../sessions/flags.ts'
import { callLine, outputText, spoken, type TranscriptStyle, thinkingText, userText } from '../../sessions/text.ts'

export const command = defineCommand({
  usage: 'sessions tail ID',
  about: 'Shows the last turn and then what happens, until the session is deleted or ^C. With --json one event a line.',
  flags: {
    last: { type: 'string', short: 'n', value: 'N', about: 'Begin with the last so many turns (default 1)' },
    full: { type: 'boolean', about: 'All of what tools said' },
    thinking: { type: 'boolean', about: 'What the model thought, too' },
  },
  examples: ['amux sessions tail db77', 'amux sessions tail codex:01a1 --json -n 3'],
  async run({ args: [id, ...rest], flags }, { output, client }) {
    refuseExtra(rest, 0)
    if (id === undefined)
      throw usageError('Which session? amux sessions tail ID', '`amux sessions list` shows the ids.')
    const { sessions } = await client(flags)
    const { agent, sessionId } = await sessions.resolve(id)
    const stop = new AbortController()
    const end = () => stop.abort()
    output.onClosed(end)
    process.once('SIGINT', end).once('SIGTERM', end)
    const { full = false, thinking = false } = flags
    const style: TranscriptStyle = { paint: output.paint(), width: output.width, full, thinking }
    const turns = countOf('--last', flags.last) ?? 1
    for await (const event of sessions.watch(agent, sessionId, { turns, signal: stop.signal })) {
      if (output.json) await output.writeLine(serializeEvent(event))
      else output.write(textOfEvent(event, style))
    }
    process.off('SIGINT', end).off('SIGTERM', end)
    sessions.close()
    return 0
  },
})

function textOfEvent(event: AgentEvent, style: TranscriptStyle): string {
  switch (event.type) {
    case 'turn_start':
      return event.prompt === undefined ? '' : userText(event.prompt, style)
    case 'message_stop':
      return spoken(event.text)
    case 'thinking_stop':
      return style.thinking ? thinkingText(event.thinking, style) : ''
    case 'tool_call_ready':
      return callLine(event.toolName, event.input, style)
    case 'tool_result':
      return outputText(event.output, style)
    default:
      return ''
  }
}
