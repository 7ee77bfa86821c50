import type { DialogueCommand, Effect } from '../../contract/dialogue.ts'

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

/** For protocols that answer each of the three in a way of its own. The one who decides also emits it: these only pass it on. */
interface Decisions<State> {
  approve(state: State, interactionId: string): Effect[] | null
  deny(state: State, interactionId: string, reason: string | undefined): Effect[] | null
  answer(state: State, interactionId: string, text: string): Effect[] | null
}

export function decide<State>(decisions: Decisions<State>): NonNullable<CommandHandlers<State>['answer']> {
  return (state, command) => {
    switch (command.type) {
      case 'approve':
        return decisions.approve(state, command.interactionId)
      case 'deny':
        return decisions.deny(state, command.interactionId, command.reason)
      case 'answer':
        return decisions.answer(state, command.interactionId, command.text)
    }
  }
}
