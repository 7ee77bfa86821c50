import { defineCommand, usageError } from '../command.ts'
import { showChanges } from '../daemon/changes-view.ts'
import { connectDaemon } from '../daemon/connect.ts'
import { requireManaged } from '../daemon/find-managed.ts'
import { sessionArgument } from '../daemon/session-argument.ts'
import { sessionLine } from '../daemon/session-text.ts'
import { exitCodeOfOutcome } from '../exit-codes.ts'
import { readInput } from '../input.ts'

const usage = 'send SESSION MESSAGE…'

export const command = defineCommand({
  usage,
  about: `
Says something to the agent: the next turn when it is idle, queued for the next turn while it works, the answer when it
has asked. Refused while a permission dialog is open: a message could answer it. "-" reads standard input.`,
  flags: {
    steer: { type: 'boolean', about: 'Into the turn that is under way' },
    now: { type: 'boolean', about: 'Fail rather than wait for the turn under way' },
    follow: {
      type: 'boolean',
      short: 'f',
      about: 'Show what comes of it, until that turn is over; the exit code says how it ended',
    },
    key: { type: 'string', value: 'KEY', about: 'The same key again sends nothing again' },
  },
  examples: [
    'amux send k3v9 "Now add a test"',
    'git diff | amux send review -',
    'amux send k3v9 --steer "Not that file"',
  ],
  async run({ args, flags }, context) {
    const { id, rest } = sessionArgument(args, usage)
    if (flags.steer && flags.now) throw usageError('--steer and --now exclude each other')
    const text = await messageOf(rest)
    const client = await connectDaemon(flags, context)
    await requireManaged(client, id, flags, context)
    const { lastSeq } = await client.call('health')
    const when = flags.steer ? 'steer' : flags.now ? 'now' : undefined
    const session = await client.call('send', { id, text, when, key: flags.key })
    const { after, turns } = session.sent ?? { after: lastSeq, turns: 1 } // of a daemon that does not say
    const { output } = context
    if (!flags.follow) {
      output.result(session, sessionLine(session, output))
      return 0
    }
    const { lastTurn } = await showChanges({
      ...{ client, session, output, follow: true, turns, after, debug: flags.debug ?? false },
    })
    return lastTurn ? exitCodeOfOutcome(lastTurn.kind) : 0
  },
})

async function messageOf(words: readonly string[]): Promise<string> {
  const text = words.length === 1 && words[0] === '-' ? (await readInput('-')).toString('utf8') : words.join(' ')
  if (text.trim() === '') throw usageError(`Say what: amux ${usage}`)
  return text
}
