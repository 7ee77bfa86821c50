import { AgentMuxError } from '../contract/errors.ts'
import type { ControlCommand } from '../contract/launch.ts'
import type { RunHandle } from '../contract/run-handle.ts'

/** Carries out a command of the control protocol on a headless run. */
export async function performOnRun(handle: RunHandle, command: ControlCommand): Promise<void> {
  switch (command.command) {
    case 'send':
      return handle.send(command.text)
    case 'queue':
      return handle.queue(command.text, { when: command.when })
    case 'steer':
      return handle.steer(command.text, { when: command.when })
    case 'approve': {
      const { interactionId, detail } = command
      if (interactionId === undefined) return handle.approve(detail)
      return handle.interaction.respond(interactionId, { type: 'approve', detail })
    }
    case 'deny': {
      const { interactionId, reason } = command
      if (interactionId === undefined) return handle.deny(reason)
      return handle.interaction.respond(interactionId, { type: 'deny', reason })
    }
    case 'respond':
      return handle.interaction.respond(command.interactionId, command.response)
    case 'set_model':
      return handle.setModel(command.model)
    case 'interrupt':
      return handle.interrupt()
    case 'pause':
      return handle.pause()
    case 'resume':
      return handle.resume()
    case 'abort':
      return handle.abort()
    case 'close':
      return handle.close()
    default:
      throw new AgentMuxError('CAPABILITY_ERROR', `${command.command} is for terminals: this is a headless run`)
  }
}
