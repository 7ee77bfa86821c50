import type { DaemonClient } from '../../client/index.ts'
import {
  AGENT_FLAG,
  type CommandContext,
  defineCommand,
  type GlobalValues,
  refuseExtra,
  usageError,
} from '../command.ts'
import { type AnySession, allTable, together } from '../daemon/all-sessions.ts'
import { connectDaemon } from '../daemon/connect.ts'
import { sessionTable } from '../daemon/session-text.ts'
import { watchList } from '../daemon/watch-list.ts'
import { mustKnowAgent } from '../known-agent.ts'
import { countOf } from '../sessions/flags.ts'

const NONE = 'No sessions yet. `amux spawn <agent> "…"` starts one; `amux ls --all` also lists what the agents keep.'

export const command = defineCommand({
  usage: 'ls',
  about: `
Sessions that run in the background, newest first: who works, who waits for you, and why. --all adds the conversations that
the agents themselves keep, no matter who started them (\`amux sessions\` has filters for those). Whatever is in the first column
is a name for every command.`,
  flags: {
    agent: { ...AGENT_FLAG.agent, about: 'Only of this agent' },
    all: { type: 'boolean', about: 'Also the conversations that the agents keep' },
    live: { type: 'boolean', short: 'l', about: 'Only those whose agent is running' },
    watch: { type: 'boolean', short: 'w', about: 'Draw it again whenever something changes; q leaves' },
    limit: { type: 'string', short: 'n', value: 'N', about: 'At most so many (default 100; with --all 50)' },
  },
  examples: ['amux ls', 'amux ls --live --watch', 'amux ls --all', 'amux ls -a claude --json'],
  async run({ args, flags }, context) {
    refuseExtra(args, 0)
    const { output } = context
    if (flags.all && flags.live) throw usageError('--all and --live exclude each other')
    if (flags.watch && (output.json || output.stdout.isTTY !== true)) {
      throw usageError(
        '--watch needs a terminal',
        'For programs: `amux logs SESSION --json -f`, or GET /api/v1/events.',
      )
    }
    const client = await connectDaemon(flags, context)
    const wanted = { ...flags, limit: countOf('--limit', flags.limit) }
    if (flags.watch) {
      await watchList({ client, output, draw: async () => (await listed(client, wanted, context)).text })
      return 0
    }
    const { data, text } = await listed(client, wanted, context)
    output.result(data, text)
    return 0
  },
})

interface Wanted extends GlobalValues {
  agent?: string
  all?: boolean
  live?: boolean
  limit?: number
}

const ALL_LIMIT = 50

/** What there is to list, and as a table. */
async function listed(
  client: DaemonClient,
  { agent, all, live, limit, ...flags }: Wanted,
  context: CommandContext,
): Promise<{ data: readonly unknown[]; text: string }> {
  const { output } = context
  const managed = await client.call('listSessions', { agent, live: live || undefined, limit })
  if (managed.length === 0) await mustKnowAgent(agent, flags, context)
  const now = Date.now()
  if (!all) return { data: managed, text: managed.length === 0 ? NONE : sessionTable(managed, output, now) }
  const most = limit ?? ALL_LIMIT
  const { sessions } = await context.client(flags)
  const transcripts = await sessions.list(agent, { limit: most })
  sessions.close()
  const data: AnySession[] = together(managed, transcripts).slice(0, most)
  return { data, text: data.length === 0 ? NONE : allTable(data, output, now) }
}
