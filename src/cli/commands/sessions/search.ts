import type { SessionSummary } from '../../../contract/sessions.ts'
import { choice, defineCommand, usageError } from '../../command.ts'
import { excerptOf } from '../../sessions/excerpt.ts'
import { countOf, FILTER_FLAGS, filterOf } from '../../sessions/flags.ts'
import { noteWarnings, readSessions } from '../../sessions/index-progress.ts'
import { sessionTable, shortIds } from '../../sessions/table.ts'
import { truncate } from '../../text.ts'

const SORTS = ['relevance', 'date', 'cost'] as const

export const command = defineCommand({
  usage: 'sessions search WORDS…',
  about: `
Finds the sessions that contain all these words: in titles, in what was said, in what tools were asked and answered.
A phrase goes in quotes. The first search reads everything, which takes a while; later ones read what is new.`,
  flags: {
    ...FILTER_FLAGS,
    limit: { type: 'string', short: 'n', value: 'N', about: 'At most so many (default 20)' },
    sort: { type: 'string', value: 'BY', about: 'relevance (default), date or cost', choices: SORTS },
    context: { type: 'boolean', short: 'c', about: 'Where in each session, which is then read' },
  },
  examples: [
    'amux sessions search flaky test',
    `amux sessions search '"connection refused"' --since 2w -c`,
    'amux sessions search migration --agent codex --json',
  ],
  async run({ args, flags }, { output, client }) {
    if (args.length === 0) throw usageError('Search for what? amux sessions search WORDS…')
    const now = Date.now()
    const sort = choice('--sort', flags.sort, SORTS) ?? 'relevance'
    const limit = countOf('--limit', flags.limit) ?? 20
    const { sessions, adapters } = await client(flags)
    if (flags.agent !== undefined) adapters.capabilities(flags.agent) // throws for an unknown one
    await readSessions(sessions, output, flags.agent, true)
    const text = args.join(' ')
    const found = await sessions.search({ text, agent: flags.agent, ...filterOf(flags, now), limit, sort })
    const words = text.split(/[\s"]+/).filter((word) => word !== '')
    const excerpts = new Map<SessionSummary, string>()
    if (flags.context) {
      for (const one of found) {
        const excerpt = excerptOf(await sessions.get(one.agent, one.sessionId), words)
        if (excerpt !== null) excerpts.set(one, excerpt)
      }
    }
    const data = found.map((one) => ({ ...one, excerpt: excerpts.get(one) }))
    const paint = output.paint()
    const ids = shortIds(found)
    const places = found.flatMap((one, i) => {
      const excerpt = excerpts.get(one)
      return excerpt === undefined ? [] : [truncate(`${ids[i]}  ${excerpt}`, output.width)]
    })
    const shown = [
      sessionTable(found, output, now),
      ...(places.length > 0 ? [...places.map((line) => paint('dim', line))] : []),
    ]
    output.result(data, found.length === 0 ? `No session has all of: ${text}` : shown.join('\n'))
    noteWarnings(sessions, output, flags.debug ?? false)
    sessions.close()
    return 0
  },
})
