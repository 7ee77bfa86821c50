import { defineCommand, refuseExtra } from '../command.ts'
import { showChanges } from '../daemon/changes-view.ts'
import { connectDaemon } from '../daemon/connect.ts'
import { requireManaged } from '../daemon/find-managed.ts'
import { sessionArgument } from '../daemon/session-argument.ts'
import { exitCodeOfOutcome } from '../exit-codes.ts'

const usage = 'logs SESSION'

export const command = defineCommand({
  usage,
  about: `
What happened in a session, from its first launch on. With --json each line is one change with its sequence number;
--after continues where an earlier reader stopped. With -f the exit code says how the session ended.`,
  flags: {
    follow: { type: 'boolean', short: 'f', about: 'Go on until it has ended' },
    after: { type: 'string', value: 'ID', about: 'Only what came after this change' },
  },
  examples: ['amux logs k3v9', 'amux logs k3v9 -f', 'amux logs k3v9 --json --after 1200'],
  async run({ args, flags }, context) {
    const { id } = sessionArgument(args, usage)
    refuseExtra(args, 1)
    const client = await connectDaemon(flags, context)
    const { output } = context
    const stop = new AbortController()
    output.onClosed(() => stop.abort())
    const { session: ended } = await showChanges({
      ...{ client, output, debug: flags.debug ?? false, signal: stop.signal },
      session: await requireManaged(client, id, flags, context),
      follow: flags.follow ?? false,
      after: flags.after ?? 0,
    })
    return flags.follow && ended.outcome ? exitCodeOfOutcome(ended.outcome.kind) : 0
  },
})
