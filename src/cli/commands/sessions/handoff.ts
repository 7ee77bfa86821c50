import type { Handoff } from '../../../contract/session-manager.ts'
import { type CommandContext, type CommandInput, defineCommand, usageError } from '../../command.ts'
import { runAgent } from '../../run/run-agent.ts'
import { CONTINUE_FLAGS, sessionToContinue } from '../../sessions/continue.ts'
import { countOf } from '../../sessions/flags.ts'
import { formatCount, plural } from '../../text.ts'

const FLAGS = {
  to: { type: 'string', value: 'AGENT', about: 'The agent that goes on' },
  budget: {
    type: 'string',
    value: 'TOKENS',
    about: 'The most that the record of the session may take (default 24000)',
  },
  'dry-run': { type: 'boolean', about: 'Print what would be sent, and start nothing' },
  ...CONTINUE_FLAGS,
} as const

export const command = defineCommand({
  usage: 'sessions handoff [ID] --to AGENT [prompt…]',
  about: `
Writes the session down for another agent and starts that one with it: how it began, what is open, which files were
touched, what was decided, and the last turns in full, within a budget. What does not fit is said. Which session came
from which is kept, and shown by \`amux sessions list\` and \`show\`.`,
  flags: FLAGS,
  examples: [
    'amux sessions handoff db77 --to codex "Review what was done"',
    'amux sessions handoff db77 --to gemini --dry-run',
  ],
  run: ({ args, flags }, context) => handOff(args, flags, context),
})

async function handOff(
  words: readonly string[],
  { to, budget, 'dry-run': dryRun, ...flags }: CommandInput<typeof FLAGS>['flags'],
  context: CommandContext,
): Promise<number> {
  const { output } = context
  const mux = await context.client(flags)
  if (to === undefined) throw usageError('To which agent? amux sessions handoff ID --to AGENT')
  mux.adapters.capabilities(to) // throws for an unknown one, with a suggestion
  const { session, prompt } = await sessionToContinue(words, flags, context, 'Which session is to be handed off?', null)
  const handoff = await mux.sessions.handoff(session.agent, session.sessionId, {
    prompt: flags.prompt ?? (prompt.join(' ') || undefined),
    budget: countOf('--budget', budget),
  })
  mux.sessions.close()
  if (dryRun) {
    output.result(handoff, handoff.text)
    return 0
  }
  if (!output.json) output.note(summary(handoff, to))
  const { continuedFrom, cwd, text } = handoff
  return runAgent([text], { ...flags, agent: to, prompt: undefined, cwd: flags.cwd ?? cwd }, context, { continuedFrom })
}

function summary({ tokens, leftOut, continuedFrom }: Handoff, to: string): string {
  const missing = leftOut.turns > 0 ? `, ${plural(leftOut.turns, 'early turn')} in notes only` : ''
  return `Handing ${continuedFrom} off to ${to}: about ${formatCount(tokens)} tokens${missing}`
}
