import { defineCommand, refuseExtra } from '../command.ts'
import { connectDaemon } from '../daemon/connect.ts'
import { findManaged } from '../daemon/find-managed.ts'
import { sessionArgument } from '../daemon/session-argument.ts'
import { sessionDetail } from '../daemon/session-text.ts'
import { SHOW_FLAGS, showTranscript } from '../sessions/show-transcript.ts'

const usage = 'show SESSION'

export const command = defineCommand({
  usage,
  about: `
One session, no matter who started it. For one in the background: what it does, why we think so, what it waits for.
Of a conversation that an agent keeps: what is known of it, and its words. --words shows them of the former, too. A name,
an id or the beginning of one, as \`amux ls --all\` prints them.`,
  flags: { words: { type: 'boolean', short: 'w', about: 'The words of the conversation, too' }, ...SHOW_FLAGS },
  examples: ['amux show fix-the-flaky-test', 'amux show claude:db77 --last 2', 'amux show review --json'],
  async run({ args, flags }, context) {
    const { id } = sessionArgument(args, usage)
    refuseExtra(args, 1)
    const { output } = context
    const session = await findManaged(await connectDaemon(flags, context), id)
    if (session === null) return showTranscript(id, flags, context)
    output.result(session, sessionDetail(session, output, Date.now(), flags.full))
    const wantsWords = flags.words || flags.last !== undefined || flags.full || flags.thinking
    if (!wantsWords || output.json || session.agentSessionId === null) return 0
    return showTranscript(`${session.agent}:${session.agentSessionId}`, flags, context)
  },
})
