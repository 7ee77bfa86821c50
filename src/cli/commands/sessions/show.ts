import { turnsOf } from '../../../sessions/handoff/turns.ts'
import { defineCommand, refuseExtra, usageError } from '../../command.ts'
import { countOf } from '../../sessions/flags.ts'
import { readSessions } from '../../sessions/index-progress.ts'
import { sessionHead, transcript } from '../../sessions/text.ts'

export const command = defineCommand({
  usage: 'sessions show ID',
  flags: {
    last: { type: 'string', short: 'n', value: 'N', about: 'Only the last so many turns' },
    full: { type: 'boolean', about: 'All of what tools said' },
    thinking: { type: 'boolean', about: 'What the model thought, too' },
    summary: { type: 'boolean', about: 'What is known of it, without its words' },
  },
  examples: ['amux sessions show db77', 'amux sessions show db77 --full | less -R', 'amux sessions show db77 --json'],
  async run({ args: [id, ...rest], flags }, { output, client }) {
    refuseExtra(rest, 0)
    if (id === undefined)
      throw usageError('Which session? amux sessions show ID', '`amux sessions list` shows the ids.')
    const { sessions } = await client(flags)
    const { agent, sessionId } = await sessions.resolve(id)
    // The cost is that of the list: a fork's is its own only once it is known what it has copied.
    await readSessions(sessions, output, agent)
    await sessions.refresh({ agent })
    const [listed] = await sessions.list(agent, { sessionIds: [sessionId], limit: 1 })
    const read = await sessions.get(agent, sessionId)
    const { cost, costSource, tokenUsage, forkedFrom } = listed ?? {}
    const session = {
      ...read,
      cost,
      tokenUsage: tokenUsage ?? read.tokenUsage,
      forkedFrom: read.forkedFrom ?? forkedFrom,
    }
    const resumable = await sessions.resumable(agent, sessionId)
    const last = countOf('--last', flags.last)
    const messages = last === undefined ? session.messages : turnsOf(session.messages).slice(-last).flat()
    const paint = output.paint()
    const { width } = output
    const { full = false, thinking = false, summary = false } = flags
    const words = summary ? '' : transcript(messages, { paint, width, full, thinking })
    const { raw: _raw, ...data } = session
    const shown = summary ? { ...data, messages: undefined } : { ...data, messages }
    output.result({ ...shown, costSource, ...resumable }, sessionHead(session, resumable, paint, width) + words)
    sessions.close()
    return 0
  },
})
