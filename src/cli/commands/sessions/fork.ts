import { defineCommand } from '../../command.ts'
import { CONTINUE_FLAGS, continueSession } from '../../sessions/continue.ts'

export const command = defineCommand({
  usage: 'sessions fork [ID] [prompt…]',
  about: `
The same as \`amux sessions resume\`, on a copy that the agent makes: the session itself stays as it is.`,
  flags: CONTINUE_FLAGS,
  examples: ['amux sessions fork db77 "Try it with SQLite instead"'],
  run: ({ args, flags }, context) => continueSession('fork', args, flags, context),
})
