import { choice, defineCommand, refuseExtra } from '../../command.ts'
import { noteWarnings, readSessions } from '../../index-progress.ts'
import { countOf, FILTER_FLAGS, filterOf } from '../../session-flags.ts'
import { sessionTable } from '../../session-table.ts'

const SORTS = ['date', 'cost', 'turns'] as const

export const command = defineCommand({
  usage: 'sessions list',
  about: `
The newest first. What a session has cost is shown when all sessions have been read, as \`amux cost\` or --sort cost do:
only then is it known what a fork has copied from where. ↳ marks what was forked or handed off from another session.`,
  flags: {
    ...FILTER_FLAGS,
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
    if (sort === 'cost') await readSessions(sessions, output, flags.agent)
    const found = await sessions.list(flags.agent, {
      ...filterOf(flags, now),
      ...{ limit, sort, sortDirection: flags.reverse ? 'asc' : 'desc' },
    })
    const resumable = await sessions.resumableAll(found)
    const data = found.map((session, i) => ({ ...session, ...resumable[i] }))
    output.result(data, found.length === 0 ? 'No sessions found.' : sessionTable(found, output, now))
    noteWarnings(sessions, output, flags.debug ?? false)
    sessions.close()
    return 0
  },
})
