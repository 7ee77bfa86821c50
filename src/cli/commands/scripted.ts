import { once } from 'node:events'
import { subjects } from '../../adapters/subjects.ts'
import type { EndpointPlan } from '../../contract/adapter.ts'
import type { AgentName } from '../../contract/names.ts'
import { quoteWord } from '../../core/command-line.ts'
import type { AgentMuxClient } from '../../mux/client.ts'
import { scenarios, startScriptedServer } from '../../scripted/index.ts'
import { AGENT_FLAG, defineCommand, refuseExtra, usageError } from '../command.ts'
import type { Output, Paint } from '../output.ts'
import { type Cell, table } from '../table.ts'

const DEFAULT_SCENARIO = 'text'
/** The server looks at no key; the agents do not start without one. */
const KEY = 'any'
/** A whole configuration in a variable helps nobody who wants to paste a line. */
const LONGEST_LINE = 500

export const command = defineCommand({
  usage: 'scripted [SCENARIO]',
  about: `
Serves the scripted model on loopback until ^C: it plays the model for real agents, with no key and no cost. What it prints
points an agent at it: the flag for \`amux run\`, and the variables for the agent's own command. --list names the scenarios.`,
  flags: {
    agent: { ...AGENT_FLAG.agent, about: 'Only the lines for this agent' },
    port: { type: 'string', value: 'N', about: 'The port to listen on (default: a free one)' },
    list: { type: 'boolean', about: 'The scenarios, and serve nothing' },
  },
  examples: ['amux scripted --list', 'amux scripted tool --port 8900', 'amux scripted 429-recover --agent claude'],
  async run({ args, flags }, { output, client }) {
    refuseExtra(args, 1)
    if (flags.list) {
      list(output)
      return 0
    }
    const scenario = args[0] ?? DEFAULT_SCENARIO
    if (!Object.hasOwn(scenarios, scenario)) {
      throw usageError(`There is no scenario "${scenario}"`, '`amux scripted --list` lists them.')
    }
    const mux = await client(flags)
    if (flags.agent !== undefined) mux.adapters.capabilities(flags.agent) // throws for an unknown one, with a suggestion
    const server = await startScriptedServer({ scenario, port: portOf(flags.port) })
    const ways = await waysTo(mux, flags.agent, (agent) => server.baseUrl(subjects[agent]?.protocol ?? 'anthropic'))
    output.result({ url: server.url, scenario, agents: ways }, servingText(server.url, scenario, ways, output.paint()))
    const stop = new AbortController()
    const end = () => stop.abort()
    process.once('SIGINT', end).once('SIGTERM', end)
    output.onClosed(end)
    if (!stop.signal.aborted) await once(stop.signal, 'abort')
    await server.close()
    if (!output.json) output.note(`${server.requests.length} requests were answered.`)
    return 0
  },
})

function list(output: Output): void {
  const rows = Object.values(scenarios).map(({ name, description }) => ({ name, description }))
  const lines = rows.map(({ name, description }): (string | Cell)[] => [{ text: name, style: 'cyan' }, description])
  output.result(rows, table(lines, output.paint(), output.width))
}

function portOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (/^\d{1,5}$/.test(text) && Number(text) < 65_536) return Number(text)
  throw usageError(`--port must be a number from 0 to 65535, not "${text}"`)
}

/** How an agent comes to talk to the server. */
interface Way {
  agent: AgentName
  /** Through us. */
  run: string
  /** The agent's own command; null where it needs more than variables and arguments. */
  own: string | null
}

async function waysTo(
  { adapters }: AgentMuxClient,
  wanted: AgentName | undefined,
  urlFor: (agent: AgentName) => string,
): Promise<Way[]> {
  const agents = adapters.list().filter(({ agent }) => wanted === undefined || agent === wanted)
  const ways = agents.map(async ({ agent, cliCommand }): Promise<Way[]> => {
    const subject = subjects[agent]
    const adapter = await adapters.load(agent)
    if (!subject || subject.account || !adapter.endpointOverride) return []
    const baseUrl = urlFor(agent)
    const model = subject.model === undefined ? '' : ` --model ${subject.model}`
    const run = `amux run ${agent} --endpoint ${baseUrl}${model} "hi"`
    return [{ agent, run, own: ownCommand(cliCommand, adapter.endpointOverride({ baseUrl, apiKey: KEY })) }]
  })
  return (await Promise.all(ways)).flat()
}

function ownCommand(command: string, { env, args, files }: EndpointPlan): string | null {
  if (files.length > 0) return null
  const variables = Object.entries(env).map(([name, value]) => `${name}=${quoteWord(value)}`)
  const line = [...variables, command, ...args.map(quoteWord)].join(' ')
  return line.length > LONGEST_LINE ? null : line
}

function servingText(url: string, scenario: string, ways: readonly Way[], paint: Paint): string {
  const lines = ways.flatMap(({ agent, run, own }) => [
    '',
    paint('bold', agent),
    `  ${run}`,
    ...(own === null ? [] : [`  ${own}`]),
  ])
  return [`Playing "${scenario}" on ${url}; ^C ends it.`, ...lines].join('\n')
}
