import type { CommandContext, GlobalValues } from './command.ts'

/** Nothing was found for an agent: throws when there is no such agent, with a suggestion. */
export async function mustKnowAgent(
  agent: string | undefined,
  flags: GlobalValues,
  context: CommandContext,
): Promise<void> {
  if (agent !== undefined) (await context.client(flags)).adapters.capabilities(agent)
}
