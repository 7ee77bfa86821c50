import { isSecret } from '../../contract/options.ts'
import { allowedEnvironment } from '../../process/environment.ts'
import { choice, defineCommand } from '../command.ts'
import { showChanges } from '../daemon/changes-view.ts'
import { connectDaemon } from '../daemon/connect.ts'
import { sessionArgument } from '../daemon/session-argument.ts'
import { sessionLine } from '../daemon/session-text.ts'
import { exitCodeOfOutcome } from '../exit-codes.ts'
import { type RunValues, SECRET_FLAGS } from '../run/flags.ts'
import { runOptions } from '../run/options.ts'

const usage = 'restore SESSION [PROMPT…]'

export const command = defineCommand({
  usage,
  about: `
Brings an exited session back, after an exit, a crash or a reboot. Natively when the agent still has the conversation;
or by giving a new one what was said; or from the start. --dry-run says which, and why. Variables, an endpoint and
MCP servers that it was spawned with are kept in memory alone: when the daemon has been restarted since, give them again.
A profile is read again.`,
  flags: {
    as: { type: 'string', value: 'WAY', about: 'native, replay or fresh', choices: ['native', 'replay', 'fresh'] },
    'dry-run': { type: 'boolean', about: 'Only show how it would come back' },
    follow: {
      type: 'boolean',
      short: 'f',
      about: 'Show what it does until its turn is over; the exit code says how that ended',
    },
    key: { type: 'string', value: 'KEY', about: 'The same key again restores nothing again' },
    ...SECRET_FLAGS,
  },
  examples: [
    'amux restore k3v9 --dry-run',
    'amux restore k3v9 "Go on with the tests"',
    'amux restore k3v9 --endpoint http://127.0.0.1:4000 --endpoint-key-env GATEWAY_KEY',
  ],
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
    const values: RunValues = flags
    const given = runOptions(values, process.env)
    const options = Object.fromEntries(Object.entries(given).filter(([name]) => isSecret(name)))
    const environment = allowedEnvironment(process.env, [...(manifest?.passEnv ?? []), ...(given.passEnv ?? [])])
    const { lastSeq } = await client.call('health')
    const prompt = rest.length === 0 ? undefined : rest.join(' ')
    const { plan, session } = await client.call('restore', { id, prompt, as, options, environment, key: flags.key })
    if (flags.follow) {
      // A screen that comes back without words has no turn to wait for.
      const turns = session.mode === 'headless' || prompt ? 1 : undefined
      const { lastTurn } = await showChanges({
        ...{ client, session, output, follow: true, turns, after: lastSeq, debug: flags.debug ?? false },
      })
      return lastTurn ? exitCodeOfOutcome(lastTurn.kind) : 0
    }
    output.result({ plan, session }, `Restored (${plan.kind}: ${plan.why})\n${sessionLine(session, output)}`)
    return 0
  },
})
