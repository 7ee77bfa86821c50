import type { Quota } from '../../contract/api/quota.ts'
import { AGENT_FLAG, defineCommand, refuseExtra } from '../command.ts'
import { connectDaemon } from '../daemon/connect.ts'
import { quotaText } from '../daemon/quota-text.ts'
import { mustKnowAgent } from '../known-agent.ts'

export const command = defineCommand({
  usage: 'quota',
  about: `
How much of each plan is used, as the agents of managed sessions last reported, and which accounts are parked until a limit is
over. An account is an agent with its endpoint, key (shown as a hash) and profile. What is unknown is "-".`,
  flags: {
    ...AGENT_FLAG,
    ask: { type: 'boolean', about: 'Ask the CLIs of the agents, too, at most once in five minutes' },
  },
  examples: ['amux quota', 'amux quota --ask', 'amux quota -a claude --json'],
  async run({ args, flags }, context) {
    refuseExtra(args, 0)
    const client = await connectDaemon(flags, context)
    const all = await client.call('quota', { ask: flags.ask })
    const rows = all.filter(({ agent }: Quota) => flags.agent === undefined || agent === flags.agent)
    if (rows.length === 0) await mustKnowAgent(flags.agent, flags, context)
    const { output } = context
    output.result(rows, rows.length === 0 ? 'Nothing is known of any limit.' : quotaText(rows, output, Date.now()))
    return 0
  },
})
