import { turnsOf } from '../../sessions/handoff/turns.ts'
import type { CommandContext, CommandInput, FlagTable } from '../command.ts'
import { countOf } from './flags.ts'
import { readSessions } from './index-progress.ts'
import { sessionHead, transcript } from './text.ts'

/** How much of its words. */
export const SHOW_FLAGS = {
  last: { type: 'string', short: 'n', value: 'N', about: 'Only the last so many turns' },
  full: { type: 'boolean', about: 'All of what tools said' },
  thinking: { type: 'boolean', about: 'What the model thought, too' },
  summary: { type: 'boolean', about: 'What is known of it, without its words' },
} as const satisfies FlagTable

type ShowValues = CommandInput<typeof SHOW_FLAGS>['flags']

/** A conversation as its agent keeps it: what is known of it, and its words. */
export async function showTranscript(id: string, flags: ShowValues, context: CommandContext): Promise<number> {
  const { output } = context
  const { sessions } = await context.client(flags)
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
  const [resumable, activity] = await Promise.all([
    sessions.resumable(agent, sessionId),
    sessions.activity(agent, sessionId),
  ])
  const last = countOf('--last', flags.last)
  const messages = last === undefined ? session.messages : turnsOf(session.messages).slice(-last).flat()
  const paint = output.paint()
  const { width } = output
  const { full = false, thinking = false, summary = false } = flags
  const words = summary ? '' : transcript(messages, { paint, width, full, thinking })
  const { raw: _raw, ...data } = session
  const shown = summary ? { ...data, messages: undefined } : { ...data, messages }
  const head = sessionHead(session, { resumable, activity }, paint, width)
  output.result({ ...shown, costSource, activity, ...resumable }, head + words)
  sessions.close()
  return 0
}
