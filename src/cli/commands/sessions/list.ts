import { choice, defineCommand, refuseExtra } from '../../command.ts'
import { countOf, FILTER_FLAGS, filterOf } from '../../sessions/flags.ts'
import { noteWarnings, readSessions } from '../../sessions/index-progress.ts'
import { sessionTable } from '../../sessions/table.ts'

const SORTS = ['date', 'cost', 'turns'] as const

export const command = defineCommand({
  usage: 'sessions list',
  about: `
The newest first. What a session has cost is shown when all sessions have been read, as \`amux cost\` or --sort cost do:
only then is it known what a fork has copied from where. ↳ marks what was forked or handed off from another session.`,
  flags: {
    ...FILTER_FLAGS,
    text: { type: 'string', group: 'Which', value: 'WORDS', about: 'That contain all these words' },
    limit: { type: 'string', short: 'n', value: 'N', about: 'At most so many (default 50)' },
    sort: { type: 'string', value: 'BY', about: 'date (default), cost or turns', choices: SORTS },
    reverse: { type: 'boolean', short: 'r', about: 'The other way round' },
  },
  examples: [
    'amux sessions list --agent claude --since 7d',
    'amux sessions list --project . --sort cost',
    'amux sessions list --json -n 1000',
  ],
  async run({ args, flags }, { output, client }) {
    refuseExtra(args, 0)
    const now = Date.now()
    const sort = choice('--sort', flags.sort, SORTS) ?? 'date'
    const limit = countOf('--limit', flags.limit) ?? 50
    const { sessions } = await client(flags)
    const filter = filterOf(flags, now)
    if (sort === 'cost' || flags.text !== undefined) {
      await readSessions(sessions, output, flags.agent, flags.text !== undefined)
    }
    const found =
      flags.text === undefined
        ? await sessions.list(flags.agent, { ...filter, limit, sort, sortDirection: flags.reverse ? 'asc' : 'desc' })
        : await sessions.search({ ...filter, limit, text: flags.text, agent: flags.agent, sort: 'date' })
    const resumable = await sessions.resumableAll(found)
    const data = found.map((session, i) => ({ ...session, ...resumable[i] }))
    output.result(data, found.length === 0 ? 'No sessions found.' : sessionTable(found, output, now))
    noteWarnings(sessions, output, flags.debug ?? false)
    sessions.close()
    return 0
  },
})
