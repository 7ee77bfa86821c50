import type { DialogueCommand, Effect } from '../contract/dialogue.ts'

/** What was decided about something that the agent asked. */
export type AnswerCommand = Extract<DialogueCommand, { interactionId: string }>

/** What a dialogue does with what the user says while the agent runs. What it leaves out, the agent cannot do. */
export interface CommandHandlers<State> {
  userTurn(state: State, text: string): Effect[]
  /** Into the running turn; where there is no way to, it is a turn of its own. */
  steer?(state: State, text: string): Effect[]
  interrupt?(state: State): Effect[]
  answer?(state: State, command: AnswerCommand): Effect[] | null
  setModel?(state: State, model: string): Effect[] | null
  close(state: State): Effect[]
}

/** Null: the agent cannot. */
export function handleCommand<State>(
  handlers: CommandHandlers<State>,
  state: State,
  command: DialogueCommand,
): Effect[] | null {
  switch (command.type) {
    case 'user_turn':
      return handlers.userTurn(state, command.text)
    case 'steer':
      return (handlers.steer ?? handlers.userTurn)(state, command.text)
    case 'interrupt':
      return handlers.interrupt?.(state) ?? null
    case 'approve':
    case 'deny':
    case 'answer':
      return handlers.answer?.(state, command) ?? null
    case 'set_model':
      return handlers.setModel?.(state, command.model) ?? null
    case 'close':
      return handlers.close(state)
  }
}
