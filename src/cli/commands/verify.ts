import { subjects } from '../../adapters/subjects.ts'
import { AgentMuxError } from '../../contract/errors.ts'
import type { AgentName } from '../../contract/names.ts'
import { suggest } from '../../core/suggest.ts'
import type { AgentMuxClient } from '../../mux/client.ts'
import { allChecks, type CheckResult, checksFor, runSuite } from '../../verify/suite.ts'
import { AGENT_FLAG, defineCommand } from '../command.ts'
import type { Output, Paint } from '../output.ts'
import { type Cell, table } from '../table.ts'
import { plural } from '../text.ts'

export const command = defineCommand({
  usage: 'verify [agent…]',
  about: `
Runs your installed CLI against a scripted model on loopback, in a scratch home and a scratch repository: no key, no cost,
nothing of yours is touched. Says what holds for your version, and what has changed since the one we proved.
Without an agent: all that are installed.`,
  flags: {
    ...AGENT_FLAG,
    check: { type: 'string', multiple: true, value: 'NAME', about: 'Only this check (repeatable)' },
    list: { type: 'boolean', about: 'List the checks that apply' },
  },
  examples: ['amux verify claude', 'amux verify codex --check tool --check 401', 'amux verify --list claude'],
  async run({ args, flags }, { output, client }) {
    const mux = await client(flags)
    const only = flags.check ?? []
    for (const name of only) requireCheck(name)
    const agents = await chooseAgents(mux, args.length > 0 ? args : flags.agent ? [flags.agent] : [])
    if (flags.list) return listChecks(mux, agents, output)
    const results: CheckResult[] = []
    for (const agent of agents) results.push(...(await verifyAgent(mux, agent, only, output)))
    output.result(results, '')
    return results.some(({ status }) => status === 'failed') ? 1 : 0
  },
})

function requireCheck(name: string): void {
  const names = allChecks.map((check) => check.name)
  if (names.includes(name)) return
  const close = suggest(name, names)
  throw new AgentMuxError('VALIDATION_ERROR', `There is no check "${name}"`, {
    hint: close ? `Did you mean "${close}"?` : 'amux verify --list shows them all.',
  })
}

async function chooseAgents(mux: AgentMuxClient, wanted: readonly string[]): Promise<AgentName[]> {
  for (const agent of wanted) {
    mux.adapters.capabilities(agent) // an unknown name is reported with a suggestion
    const found = await mux.adapters.detect(agent)
    if (!subjects[agent]) throw new AgentMuxError('CAPABILITY_ERROR', `${agent} cannot run without its own account yet`)
    if (found?.installed) continue
    const [install] = mux.adapters.installInstructions(agent)
    throw new AgentMuxError('AGENT_NOT_INSTALLED', `${agent} is not installed`, {
      hint: install ? `Install it with: ${install.command}` : undefined,
    })
  }
  if (wanted.length > 0) return [...wanted]
  const installed = (await mux.adapters.installed()).filter(({ agent, installed }) => installed && subjects[agent])
  if (installed.length > 0) return installed.map(({ agent }) => agent)
  throw new AgentMuxError('AGENT_NOT_INSTALLED', 'None of the known agents is installed', {
    hint: '`amux agents` says how to install each one; `amux demo` needs none.',
  })
}

function listChecks(mux: AgentMuxClient, agents: readonly AgentName[], output: Output): number {
  const data = agents.map((agent) => ({ agent, checks: checksFor(mux.adapters.capabilities(agent)) }))
  const rows = data.flatMap(({ agent, checks }) => checks.map(({ name, title }) => [agent, name, title]))
  output.result(
    data.map(({ agent, checks }) => ({ agent, checks: checks.map(({ name, title }) => ({ name, title })) })),
    table(rows, output.paint(), output.width),
  )
  return 0
}

async function verifyAgent(
  mux: AgentMuxClient,
  agent: AgentName,
  only: readonly string[],
  output: Output,
): Promise<CheckResult[]> {
  const found = await mux.adapters.detect(agent)
  const adapter = await mux.adapters.load(agent)
  const version = found?.version ?? null
  const proven = adapter.manifest?.provenVersion
  const { capabilities } = adapter
  const total = checksFor(capabilities, only).length
  const say = (text: string) => output.json || output.write(`${text}\n`)
  const paint = output.paint()
  const where = subjects[agent]?.account ? 'as far as it goes without an account' : 'on the scripted server'
  say(`${paint('bold', adapter.displayName)} ${version ?? '(unknown version)'}: ${plural(total, 'check')} ${where}`)
  const onResult = (result: CheckResult) => say(`  ${line(result, paint)}`)
  const path = process.env.PATH ?? ''
  const results = await runSuite({ agent, version, capabilities, path, only, onResult })
  say(`\n${verdict(adapter.displayName, version, proven, results)}\n`)
  return results
}

const MARKS = {
  passed: { text: 'holds ', style: 'green' },
  flaky: { text: 'flaky ', style: 'yellow' },
  failed: { text: 'BROKEN', style: 'red' },
} as const satisfies Record<CheckResult['status'], Cell>

function line({ status, check, title, problem }: CheckResult, paint: Paint): string {
  const { text, style } = MARKS[status]
  return `${paint(style, text)} ${check.padEnd(18)} ${title}${problem ? paint('dim', ` – ${problem}`) : ''}`
}

/** What it all means, in plain words. */
function verdict(
  name: string,
  version: string | null,
  proven: string | undefined,
  results: readonly CheckResult[],
): string {
  const failed = results.filter(({ status }) => status === 'failed')
  const unknown = [...new Set(results.flatMap(({ unrecognized }) => unrecognized))]
  const lines = [`${results.length - failed.length} of ${results.length} hold for ${name} ${version ?? ''}.`]
  if (failed.length > 0) {
    const names = failed.map(({ check }) => check).join(', ')
    lines.push(
      version === proven
        ? `This is the version we proved, so it is this machine or our bug: ${names}.`
        : `The adapter was proven on ${proven}; in your version these have changed: ${names}. The rest can be relied on.`,
    )
  } else if (proven !== undefined && version !== proven) {
    lines.push(`The adapter was proven on ${proven}; nothing that it relies on has changed since.`)
  }
  if (unknown.length > 0)
    lines.push(`Native records that the adapter does not know (kept, not lost): ${unknown.join(', ')}.`)
  return lines.join('\n')
}
