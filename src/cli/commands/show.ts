import { defineCommand, refuseExtra } from '../command.ts'
import { connectDaemon } from '../daemon/connect.ts'
import { sessionArgument } from '../daemon/session-argument.ts'
import { sessionDetail } from '../daemon/session-text.ts'

const usage = 'show SESSION'

export const command = defineCommand({
  usage,
  about: 'One managed session: what it does, why we think so, what it waits for. An id, a part of it, or a name.',
  flags: {},
  examples: ['amux show k3v9', 'amux show review --json'],
  async run({ args, flags }, context) {
    const { id } = sessionArgument(args, usage)
    refuseExtra(args, 1)
    const client = await connectDaemon(flags, context)
    const session = await client.call('getSession', { id })
    context.output.result(session, sessionDetail(session, context.output, Date.now()))
    return 0
  },
})
