import { AGENT_FLAG, defineCommand, refuseExtra, usageError } from '../command.ts'
import { connectDaemon } from '../daemon/connect.ts'
import { accountText } from '../daemon/quota-text.ts'

export const command = defineCommand({
  usage: 'unpark AGENT [ACCOUNT] | --all',
  about: `
Lets sessions go on now that wait for the end of a limit: after a top-up, or when the limit was lifted. Queued sessions
start, and those that the limit has stopped go on. \`amux quota\` lists what is parked.`,
  flags: {
    ...AGENT_FLAG,
    all: { type: 'boolean', about: 'Every account of every agent' },
  },
  examples: ['amux unpark claude', 'amux unpark claude 1f0c3a5b7d9e', 'amux unpark --all'],
  async run({ args, flags }, context) {
    refuseExtra(args, 2)
    const [agent = flags.agent, account] = args
    if ((agent === undefined) !== (flags.all ?? false)) throw usageError('Name an agent, or use --all')
    const client = await connectDaemon(flags, context)
    const freed = await client.call('unpark', { agent, account })
    const text = freed.map((one) => `${one.agent} goes on (${accountText(one.account)})`).join('\n')
    context.output.result(freed, text || 'Nothing was parked.')
    return 0
  },
})
