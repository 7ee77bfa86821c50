import { defineCommand } from '../../command.ts'
import { CONTINUE_FLAGS, continueSession } from '../../sessions/continue.ts'

export const command = defineCommand({
  usage: 'sessions resume [ID] [prompt…]',
  about: `
Starts the agent of the session in the session's own directory, with all that was said before. Without an id you choose
one on the terminal; without a prompt you type it. The other flags are those of \`amux run\`.`,
  flags: CONTINUE_FLAGS,
  examples: [
    'amux sessions resume',
    'amux sessions resume db77',
    'amux sessions resume db77 "Now write the tests" --yolo',
  ],
  run: ({ args, flags }, context) => continueSession('session', args, flags, context),
})
