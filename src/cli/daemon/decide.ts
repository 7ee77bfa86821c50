import { AgentMuxError, isAgentMuxError } from '../../contract/errors.ts'
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
      const { mode } = await client.call('getSession', { id })
      if (mode === 'terminal') {
        // There is one dialog at most: the one on its screen.
        const answer = { id, interactionId: 'oldest', decision, text: flags.reason }
        const answered = await client.call('answer', answer).catch((error: unknown) => {
          throw withAttach(error, id)
        })
        context.output.result(answered, `${DONE[decision]} on its screen\n${sessionLine(answered)}`)
        return 0
      }
      const pending = await client.call('approvals', { id })
      const approvals = pending.filter(({ type }) => type === 'approval' || decision === 'deny')
      const asked = rest[0] === undefined ? approvals : pending.filter((one) => one.id.startsWith(rest[0] ?? ''))
      const [first] = asked
      if (first === undefined) throw nothingToDecide(pending.length, id, rest[0])
      const chosen = flags.all ? asked : [first]
      for (const { id: interactionId } of chosen) {
        await client.call('answer', { id, interactionId, decision, text: flags.reason })
      }
      const session = await client.call('getSession', { id })
      const what = chosen.map(({ description }) => description).join('; ')
      context.output.result(session, `${DONE[decision]}: ${what}\n${sessionLine(session)}`)
      return 0
    },
  })
}

const DONE = { approve: 'Approved', deny: 'Denied' }

/** Where no key is known that means just this choice, it is for those to answer who see the dialog. */
function withAttach(error: unknown, id: string): unknown {
  if (!isAgentMuxError(error) || error.code !== 'CAPABILITY_ERROR') return error
  return new AgentMuxError(error.code, error.message, {
    hint: `\`amux attach ${id}\` and answer there; \`amux attach ${id} --print\` shows the question.`,
  })
}

function nothingToDecide(others: number, id: string, named: string | undefined): AgentMuxError {
  const what = named === undefined ? 'It asks for no permission' : `It asks for nothing that is called "${named}"`
  return new AgentMuxError('NO_PENDING_INTERACTION', what, {
    hint:
      others > 0
        ? `It has a question: answer it with \`amux send ${id} "…"\`.`
        : `\`amux show ${id}\` tells what it does.`,
  })
}
