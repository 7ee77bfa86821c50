import type { Checked } from '../../contract/api/schemas.ts'
import { AgentMuxError } from '../../contract/errors.ts'
import type { ControlCommand } from '../../contract/launch.ts'
import { type SessionRecord, viewOf } from './record.ts'

/**
 * How a message reaches the agent in the state that it is in. Throws when it must not: what is sent to a blocked
 * agent could answer its permission dialog.
 */
export function sendCommand(
  session: SessionRecord,
  { text, when }: Pick<Checked<'send'>, 'text' | 'when'>,
): ControlCommand {
  const { activity, pending, isLive, id } = viewOf(session)
  if (!isLive) {
    throw new AgentMuxError('RUN_NOT_ACTIVE', `Its agent has exited: ${activity.why}`, {
      hint: `\`amux restore ${id} "…"\` brings the conversation back and goes on with that.`,
    })
  }
  if (session.waitsFor !== null) {
    throw new AgentMuxError('RUN_NOT_ACTIVE', `It has not started yet: ${session.waitsFor}`, { recoverable: true })
  }
  if (activity.state === 'blocked') {
    throw new AgentMuxError('INVALID_STATE_TRANSITION', `It is blocked: ${activity.why}`, {
      recoverable: true,
      hint:
        pending.length > 0
          ? `\`amux approve ${id}\` or \`amux deny ${id}\` first.`
          : `Answer the dialog on its screen first: \`amux attach ${id}\`.`,
    })
  }
  if (session.mode === 'terminal') return { command: 'send', text }
  const question = pending.find(({ type }) => type === 'input')
  if (question && when !== 'steer') {
    return { command: 'respond', interactionId: question.id, response: { type: 'text', text } }
  }
  if (when === 'steer') return { command: 'steer', text }
  if (activity.state !== 'active') return { command: 'send', text }
  if (when !== 'now') return { command: 'queue', text, when: 'next-turn' }
  throw new AgentMuxError('INVALID_STATE_TRANSITION', 'A turn is under way', {
    recoverable: true,
    hint: 'Send it for the next turn, or steer the current one.',
  })
}
