import { defineCommand, usageError } from '../command.ts'
import { connectDaemon } from '../daemon/connect.ts'
import { sessionLine } from '../daemon/session-text.ts'
import { withProgress } from '../progress.ts'

export const command = defineCommand({
  usage: 'kill SESSION… | --all',
  about: 'Ends the agents of sessions, with all that they started. The sessions stay, and can be restored.',
  flags: {
    all: { type: 'boolean', about: 'Every live session' },
  },
  examples: ['amux kill k3v9', 'amux kill --all'],
  async run({ args, flags }, context) {
    if ((args.length === 0) !== (flags.all ?? false)) throw usageError('Name sessions, or use --all')
    const client = await connectDaemon(flags, context)
    const live = flags.all ? await client.call('listSessions', { live: true, limit: 1000 }) : []
    const ids = flags.all ? live.map(({ id }) => id) : args
    const killing = Promise.all(ids.map((id) => client.call('kill', { id })))
    const killed = await withProgress(context.output, 'Ending agents', killing)
    context.output.result(
      killed,
      killed.map((one) => sessionLine(one, context.output)).join('\n') || 'No session is live.',
    )
    return killed.some(({ isLive }) => isLive) ? 1 : 0
  },
})
