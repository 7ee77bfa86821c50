import { AgentMuxError } from '../../contract/errors.ts'
import { defineCommand, refuseExtra } from '../command.ts'
import { connectDaemon } from './connect.ts'
import { sessionArgument } from './session-argument.ts'
import { sessionLine } from './session-text.ts'

/** `amux approve` and `amux deny`. */
export function decisionCommand(decision: 'approve' | 'deny', about: string, examples: readonly string[]) {
  const usage = `${decision} SESSION [REQUEST]`
  return defineCommand({
    usage,
    about,
    flags: {
      reason: { type: 'string', value: 'TEXT', about: 'Told to the agent' },
      all: { type: 'boolean', about: 'Everything that it asks for' },
    },
    examples,
    async run({ args, flags }, context) {
      const { id, rest } = sessionArgument(args, usage)
      refuseExtra(args, 2)
      const client = await connectDaemon(flags, context)
      const { mode, activity } = await client.call('getSession', { id })
      if (mode === 'terminal') throw onItsScreen(id, activity.state === 'blocked')
      const pending = await client.call('approvals', { id })
      const approvals = pending.filter(({ type }) => type === 'approval' || decision === 'deny')
      const asked = rest[0] === undefined ? approvals : pending.filter((one) => one.id.startsWith(rest[0] ?? ''))
      const [first] = asked
      if (first === undefined) throw nothingToDecide(pending.length, id)
      const chosen = flags.all ? asked : [first]
      for (const { id: interactionId } of chosen) {
        await client.call('answer', { id, interactionId, decision, text: flags.reason })
      }
      const session = await client.call('getSession', { id })
      const what = chosen.map(({ description }) => description).join('; ')
      context.output.result(
        session,
        `${decision === 'approve' ? 'Approved' : 'Denied'}: ${what}\n${sessionLine(session)}`,
      )
      return 0
    },
  })
}

/** What a key would mean in a dialog is for those to decide who see it. */
function onItsScreen(id: string, isBlocked: boolean): AgentMuxError {
  if (!isBlocked) return nothingToDecide(0, id)
  return new AgentMuxError('CAPABILITY_ERROR', 'It asks on its own screen, in a terminal', {
    hint: `\`amux attach ${id}\` and answer there; \`amux attach ${id} --print\` shows the question.`,
  })
}

function nothingToDecide(others: number, id: string): AgentMuxError {
  return new AgentMuxError('NO_PENDING_INTERACTION', 'It asks for no such permission', {
    hint:
      others > 0
        ? `It has a question: answer it with \`amux send ${id} "…"\`.`
        : `\`amux show ${id}\` tells what it does.`,
  })
}
