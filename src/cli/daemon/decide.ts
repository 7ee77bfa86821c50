import { AgentMuxError, isAgentMuxError } from '../../contract/errors.ts'
import type { PendingInteraction } from '../../contract/run-handle.ts'
import { moreLine, shownCall } from '../approval-text.ts'
import { defineCommand, refuseExtra } from '../command.ts'
import type { Paint } from '../output.ts'
import { visibleLine } from '../text.ts'
import { callName } from './call-name.ts'
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
      reason: { type: 'string', value: 'TEXT', about: 'Sent to the agent' },
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
        context.output.result(answered, `${DONE[decision]} on its screen\n${sessionLine(answered, context.output)}`)
        return 0
      }
      const pending = await client.call('approvals', { id })
      const approvals = pending.filter(({ type }) => type === 'approval' || decision === 'deny')
      const asked = rest[0] === undefined ? approvals : pending.filter((one) => one.id.startsWith(rest[0] ?? ''))
      const [first] = asked
      if (first === undefined) throw nothingToDecide(decision, pending, id, rest[0])
      const chosen = flags.all ? asked : [first]
      for (const { id: interactionId } of chosen) {
        await client.call('answer', { id, interactionId, decision, text: flags.reason })
      }
      const session = await client.call('getSession', { id })
      const what = chosen.flatMap((one) => decidedLines(one, context.output.paint(), callName(session)))
      context.output.result(session, `${DONE[decision]}: ${what.join('\n')}\n${sessionLine(session, context.output)}`)
      return 0
    },
  })
}

/** What was decided on, all that counts of it. */
function decidedLines({ description, detail }: PendingInteraction, paint: Paint, name: string): string[] {
  if (detail.kind !== 'approval' || detail.access === undefined) return [description]
  const { toolName, action, input, access } = detail
  const { lines, more } = shownCall({ toolName, detail: description, input, ...access }, paint)
  const rest = more > 0 ? [`    ${moreLine(more, `amux logs ${name} --json has them`, paint)}`] : []
  if (lines.length === 1 && more === 0) return [`${visibleLine(toolName ?? action)} ${lines[0]}`]
  return [visibleLine(toolName ?? action), ...lines.map((line) => `    ${line}`), ...rest]
}

const DONE = { approve: 'Approved', deny: 'Denied' }

/** Where no key is known that means just this choice, it is for those to answer who see the dialog. */
function withAttach(error: unknown, id: string): unknown {
  if (!isAgentMuxError(error) || error.code !== 'CAPABILITY_ERROR') return error
  return new AgentMuxError(error.code, error.message, {
    hint: `\`amux attach ${id}\` and answer there; \`amux attach ${id} --print\` shows the question.`,
  })
}

export function nothingToDecide(
  decision: 'approve' | 'deny',
  pending: readonly { type: string }[],
  id: string,
  named: string | undefined,
): AgentMuxError {
  const what = named === undefined ? 'It asks for no permission' : `It asks for nothing that is called "${named}"`
  return new AgentMuxError('NO_PENDING_INTERACTION', what, { hint: nextStep(decision, pending, id) })
}

/** A message is refused while a permission is asked for, so it is suggested only for a question. */
function nextStep(decision: 'approve' | 'deny', pending: readonly { type: string }[], id: string): string {
  if (pending.some(({ type }) => type === 'approval')) {
    return `\`amux ${decision} ${id} --reason "…"\` decides on the oldest request; \`amux show ${id}\` lists them.`
  }
  if (pending.length > 0) return `It has a question: answer it with \`amux send ${id} "…"\`.`
  return `\`amux show ${id}\` shows what it does.`
}
