import type { AuthState } from '../../contract/auth.ts'
import { guidanceLines } from '../auth-guidance.ts'
import { defineCommand, refuseExtra, usageError } from '../command.ts'
import { EXIT_CODES } from '../exit-codes.ts'
import { type Cell, table } from '../output.ts'

export const command = defineCommand({
  usage: 'auth check [agent]',
  about: `
Looks for credentials in the places where each agent keeps them; asks nobody and shows no secret. For a named agent
without credentials the exit code is ${EXIT_CODES.auth.code}.`,
  flags: {},
  examples: ['amux auth check', 'amux auth check claude', 'amux auth check --json'],
  async run({ args, flags }, { output, client }) {
    const [action, agent = flags.agent] = args
    if (action !== 'check') throw usageError('Say what to do: amux auth check [agent]')
    refuseExtra(args, 2)
    const { auth } = await client(flags)
    const states = agent === undefined ? await auth.checkAll() : [await auth.check(agent)]
    const missing = states.filter(isMissing)
    const guidance = await Promise.all(missing.map((state) => auth.getSetupGuidance(state.agent)))
    const header = ['AGENT', 'STATUS', 'METHOD', 'IDENTITY'].map((text): Cell => ({ text, style: 'bold' }))
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

function row({ agent, status, method, identity, details }: AuthState): (string | Cell)[] {
  const style = status === 'authenticated' ? 'green' : status === 'unknown' ? 'dim' : 'yellow'
  return [agent, { text: status, style }, method ?? '-', identity ?? details ?? '-']
}
