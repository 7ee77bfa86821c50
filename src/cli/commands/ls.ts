import { defineCommand, refuseExtra, usageError } from '../command.ts'
import { connectDaemon } from '../daemon/connect.ts'
import { sessionTable } from '../daemon/session-text.ts'

export const command = defineCommand({
  usage: 'ls',
  about: 'Managed sessions, newest first. `amux sessions list` lists what the agents themselves keep.',
  flags: {
    live: { type: 'boolean', short: 'l', about: 'Only those whose agent is running' },
    limit: { type: 'string', value: 'N', about: 'At most so many (default 100)' },
  },
  examples: ['amux ls', 'amux ls --live', 'amux ls -a claude --json'],
  async run({ args, flags }, context) {
    refuseExtra(args, 0)
    const client = await connectDaemon(flags, context)
    const limit = limitOf(flags.limit)
    const live = flags.live || undefined
    const sessions = await client.call('listSessions', { agent: flags.agent, live, limit })
    const { output } = context
    const none = 'No sessions yet. `amux spawn <agent> "…"` starts one.'
    output.result(sessions, sessions.length === 0 ? none : sessionTable(sessions, output, Date.now()))
    return 0
  },
})

function limitOf(text: string | undefined): number | undefined {
  if (text === undefined || /^[1-9]\d{0,5}$/.test(text)) return text === undefined ? undefined : Number(text)
  throw usageError(`--limit must be a whole number from 1 on, not "${text}"`)
}
