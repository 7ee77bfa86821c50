import { defineCommand, refuseExtra } from '../command.ts'
import { connectDaemon } from '../daemon/connect.ts'
import { sessionArgument } from '../daemon/session-argument.ts'
import { sessionLine } from '../daemon/session-text.ts'

const usage = 'interrupt SESSION'

export const command = defineCommand({
  usage,
  about: 'Stops the turn that is under way. The session stays, where the agent can do that.',
  flags: {},
  examples: ['amux interrupt k3v9'],
  async run({ args, flags }, context) {
    const { id } = sessionArgument(args, usage)
    refuseExtra(args, 1)
    const client = await connectDaemon(flags, context)
    const session = await client.call('interrupt', { id })
    context.output.result(session, sessionLine(session, context.output))
    return 0
  },
})
