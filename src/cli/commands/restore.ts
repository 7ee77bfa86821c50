import { allowedEnvironment } from '../../process/environment.ts'
import { choice, defineCommand } from '../command.ts'
import { showChanges } from '../daemon/changes-view.ts'
import { connectDaemon } from '../daemon/connect.ts'
import { sessionArgument } from '../daemon/session-argument.ts'
import { sessionLine } from '../daemon/session-text.ts'

const usage = 'restore SESSION [PROMPT…]'

export const command = defineCommand({
  usage,
  about: `
Brings an exited session back, after an exit, a crash or a reboot. Natively when the agent still has the conversation;
else by telling a new one what was said; else from the start. --dry-run says which, and why.`,
  flags: {
    as: { type: 'string', value: 'WAY', about: 'native, replay or fresh', choices: ['native', 'replay', 'fresh'] },
    'dry-run': { type: 'boolean', about: 'Only tell how it would come back' },
    follow: { type: 'boolean', short: 'f', about: 'Show what it does' },
    key: { type: 'string', value: 'KEY', about: 'The same key again restores nothing again' },
  },
  examples: ['amux restore k3v9 --dry-run', 'amux restore k3v9 "Go on with the tests"'],
  async run({ args, flags }, context) {
    const { id, rest } = sessionArgument(args, usage)
    const as = choice('--as', flags.as, ['native', 'replay', 'fresh'])
    const client = await connectDaemon(flags, context)
    const { output } = context
    if (flags['dry-run']) {
      const plan = await client.call('planRestore', { id })
      output.result(plan, `${plan.kind}: ${plan.why}`)
      return 0
    }
    const { agent } = await client.call('getSession', { id })
    const { manifest } = await (await context.client(flags)).adapters.load(agent)
    const environment = allowedEnvironment(process.env, manifest?.passEnv ?? [])
    const { lastSeq } = await client.call('health')
    const prompt = rest.length === 0 ? undefined : rest.join(' ')
    const { plan, session } = await client.call('restore', { id, prompt, as, environment, key: flags.key })
    if (flags.follow) {
      await showChanges({ client, session, output, follow: true, after: lastSeq, debug: flags.debug ?? false })
    } else output.result({ plan, session }, `Restored (${plan.kind}: ${plan.why})\n${sessionLine(session)}`)
    return 0
  },
})
