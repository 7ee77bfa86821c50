import type { CostGroup } from '../../contract/session-manager.ts'
import { choice, defineCommand, refuseExtra, usageError } from '../command.ts'
import { costTable } from '../sessions/cost-table.ts'
import { FILTER_FLAGS, filterOf } from '../sessions/flags.ts'
import { noteWarnings, readSessions } from '../sessions/index-progress.ts'

const GROUPS = [
  'agent',
  'model',
  'day',
  'month',
  'block',
  'project',
  'session',
  'tag',
] as const satisfies readonly CostGroup[]

export const command = defineCommand({
  usage: 'cost [group]',
  about: `
What all sessions on this machine have used and cost, no matter who started them. Each request counts once, however often it
was streamed, resumed or copied into a fork; sub-agents count for the session that they worked for. The agent's own cost
counts where it reports one, else list prices. A block is five hours from the first request in it. INPUT leaves out what
was written to the cache or read from it. With --json and no group, the breakdown is by agent.`,
  flags: {
    ...FILTER_FLAGS,
    by: { type: 'string', value: 'GROUP', about: `${GROUPS.join(', ')} (default day)`, choices: GROUPS },
    'group-by': { type: 'string', value: 'GROUP', about: 'The same as --by', choices: GROUPS },
  },
  examples: [
    'amux cost',
    'amux cost monthly',
    'amux cost session --since 7d',
    'amux cost blocks --since today',
    'amux cost --by model --agent claude --json',
  ],
  async run({ args, flags }, { output, client }) {
    refuseExtra(args, 1)
    const asked = choice('--by', flags.by ?? flags['group-by'], GROUPS) ?? groupNamed(args[0])
    const groupBy = asked ?? (output.json ? 'agent' : 'day')
    const { sessions } = await client(flags)
    await readSessions(sessions, output, flags.agent)
    const summary = await sessions.totalCost({ ...filterOf(flags, Date.now()), agent: flags.agent, groupBy })
    const { width } = output
    output.result(summary, costTable(summary, { groupBy, width, paint: output.paint() }))
    noteWarnings(sessions, output, flags.debug ?? false)
    sessions.close()
    return 0
  },
})

/** The words that people know from `ccusage`. */
const WORDS: Readonly<Record<string, CostGroup>> = {
  ...{ daily: 'day', monthly: 'month', blocks: 'block', sessions: 'session', projects: 'project', models: 'model' },
  ...{ agents: 'agent', tags: 'tag' },
}

/** `amux cost daily`, `amux cost session`; `report` is the old word for all of it. */
function groupNamed(word: string | undefined): CostGroup | undefined {
  if (word === undefined || word === 'report') return undefined
  const group = WORDS[word] ?? GROUPS.find((one) => one === word)
  if (group) return group
  throw usageError(`Unexpected argument "${word}"`, `Groups are ${GROUPS.join(', ')}.`)
}
