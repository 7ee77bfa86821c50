import type { AuthState } from '../../contract/auth.ts'
import { guidanceLines } from '../auth-guidance.ts'
import { AGENT_FLAG, defineCommand, refuseExtra, usageError } from '../command.ts'
import { EXIT_CODES } from '../exit-codes.ts'
import { type Cell, headings, table } from '../table.ts'

export const command = defineCommand({
  usage: 'auth check [agent]',
  about: `
Looks for credentials in the places where each agent keeps them; asks nobody and shows no secret. For a named agent
without credentials the exit code is ${EXIT_CODES.auth.code}.`,
  flags: AGENT_FLAG,
  examples: ['amux auth check', 'amux auth check claude', 'amux auth check --json'],
  async run({ args, flags }, { output, client }) {
    const [action, agent = flags.agent] = args
    if (action !== 'check') throw usageError('Say what to do: amux auth check [agent]')
    refuseExtra(args, 2)
    const { auth, adapters } = await client(flags)
    const checked = agent === undefined ? await auth.checkAll() : [await auth.check(agent)]
    const found = agent === undefined ? await adapters.installed() : [await adapters.detect(agent)]
    const isInstalled = (name: string) => found.some((one) => one?.agent === name && one.installed)
    const states = checked
      .map((state) => ({ ...state, installed: isInstalled(state.agent) }))
      .toSorted((a, b) => Number(b.installed) - Number(a.installed))
    // Of many, those that are there are what the user wants to know how to sign in to.
    const missing = states.filter((state) => isMissing(state) && (agent !== undefined || state.installed))
    const guidance = await Promise.all(missing.map((state) => auth.getSetupGuidance(state.agent)))
    const header = headings(['AGENT', 'STATUS', 'METHOD', 'IDENTITY'], { whole: ['AGENT'], optional: ['METHOD'] })
    const text = [
      table([header, ...states.map(row)], output.paint(), output.width).trimEnd(),
      ...guidance.flatMap((one) => ['', `To sign in to ${one.agent}:`, ...guidanceLines(one)]),
    ].join('\n')
    output.result(agent === undefined ? states : states[0], text)
    return agent !== undefined && missing.length > 0 ? EXIT_CODES.auth.code : EXIT_CODES.ok.code
  },
})

function isMissing({ status }: AuthState): boolean {
  return status === 'unauthenticated' || status === 'expired'
}

function row({ agent, status, method, identity, details, installed }: AuthState & { installed: boolean }) {
  if (!installed && status !== 'authenticated')
    return [agent, { text: 'not installed', style: 'dim' as const }, '-', '-']
  const style = status === 'authenticated' ? 'green' : status === 'unknown' ? 'dim' : 'yellow'
  return [agent, { text: status, style } satisfies Cell, method ?? '-', identity ?? details ?? '-']
}
