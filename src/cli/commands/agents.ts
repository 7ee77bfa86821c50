import type { AdapterManifest } from '../../contract/manifest.ts'
import type { AgentAdapterInfo, InstalledAgentInfo } from '../../contract/registry.ts'
import type { AgentMuxClient } from '../../mux/client.ts'
import { guidanceLines } from '../auth-guidance.ts'
import { AGENT_FLAG, defineCommand, refuseExtra } from '../command.ts'
import type { Output, Paint } from '../output.ts'
import { withProgress } from '../progress.ts'
import { type Cell, details, headings, table } from '../table.ts'

type AgentRow = AgentAdapterInfo & InstalledAgentInfo

export const command = defineCommand({
  usage: 'agents [agent]',
  about: `
Looks for each agent's CLI on PATH and asks for its version. "auth" says whether credentials are present, not whether
the provider accepts them. "verified" adapters are proven on the real CLI in our CI.`,
  flags: { ...AGENT_FLAG, all: { type: 'boolean', about: 'All agents that are known, installed or not: the default' } },
  examples: ['amux agents', 'amux detect --all', 'amux agents claude', 'amux agents --json'],
  async run({ args, flags }, { output, client }) {
    refuseExtra(args, 1)
    const mux = await client(flags)
    const agent = args[0] ?? flags.agent
    if (agent === undefined) return list(mux, output)
    return show(mux, agent, output)
  },
})

async function list(mux: AgentMuxClient, output: Output): Promise<number> {
  const found = await withProgress(output, 'Looking for agents', mux.adapters.installed())
  const rows = mux.adapters.list().flatMap((info): AgentRow[] => {
    const installed = found.find(({ agent }) => agent === info.agent)
    return installed ? [{ ...info, ...installed }] : []
  })
  rows.sort((a, b) => Number(b.installed) - Number(a.installed)) // by name within the two
  const titles = ['AGENT', 'NAME', 'VERSION', 'AUTH', 'ADAPTER', 'PATH']
  const header = headings(titles, { whole: ['AGENT'], optional: ['NAME', 'ADAPTER', 'PATH'] })
  const body = rows.map((row): (string | Cell)[] => [
    row.agent,
    row.displayName,
    versionCell(row),
    authCell(row),
    row.verification,
    row.cliPath ?? '-',
  ])
  output.result(rows, table([header, ...body], output.paint(), output.width))
  return 0
}

function versionCell({ installed, version, meetsMinVersion, minVersion }: InstalledAgentInfo): Cell {
  if (!installed) return { text: 'not installed', style: 'dim' }
  if (version === null) return { text: 'unknown: no answer to --version', style: 'yellow' }
  return meetsMinVersion
    ? { text: version, style: 'green' }
    : { text: `${version} (needs ${minVersion})`, style: 'yellow' }
}

/** One that is not installed has no state to report; `unknown` says why. */
function authCell({ installed, authState, authReason }: InstalledAgentInfo): Cell {
  if (!installed) return { text: '-', style: 'dim' }
  if (authState === 'unknown') return { text: authReason ? `unknown: ${authReason}` : 'unknown', style: 'dim' }
  return { text: authState, style: authState === 'authenticated' ? 'green' : 'yellow' }
}

async function show(mux: AgentMuxClient, agent: string, output: Output): Promise<number> {
  const adapter = await mux.adapters.load(agent)
  const [installed, guidance] = await withProgress(
    output,
    `Looking for ${adapter.displayName}`,
    Promise.all([mux.adapters.detect(agent), mux.auth.getSetupGuidance(agent)]),
  )
  const info = mux.adapters.list().find((one) => one.agent === agent)
  const install = mux.adapters.installInstructions(agent)
  const { manifest } = adapter
  const data = {
    ...info,
    ...installed,
    install,
    guidance,
    quirks: manifest?.quirks ?? [],
    homepage: manifest?.homepage,
  }
  const text = [
    ...summaryLines({ ...adapter, verification: info?.verification ?? 'unverified', manifest }, installed, output),
    ...(installed?.installed
      ? []
      : ['', 'Install', ...install.flatMap((one) => [`  ${one.command}`, ...note(one.notes)])]),
    ...(installed?.authState === 'authenticated' ? [] : ['', 'Sign in', ...guidanceLines(guidance)]),
    ...(manifest?.quirks?.length ? ['', 'Good to know', ...manifest.quirks.map((quirk) => `  ${quirk}`)] : []),
  ].join('\n')
  output.result(data, text)
  return 0
}

function note(text: string | undefined): string[] {
  return text === undefined ? [] : [`    ${text}`]
}

interface Summary {
  agent: string
  displayName: string
  verification: AdapterManifest['verification']
  manifest?: AdapterManifest
}

function summaryLines(adapter: Summary, installed: InstalledAgentInfo | null, output: Output): string[] {
  const paint: Paint = output.paint()
  const proven = adapter.manifest?.provenVersion
  const rows: [string, string | Cell][] = [
    ['  version', installed ? versionCell(installed) : 'unknown'],
    ['  path', installed?.cliPath ?? '-'],
    ['  auth', installed ? authCell(installed) : '-'],
    ['  model', installed?.activeModel ?? '-'],
    ['  adapter', proven ? `${adapter.verification}, on version ${proven}` : adapter.verification],
    ...(adapter.manifest?.homepage ? [['  homepage', adapter.manifest.homepage] as [string, string]] : []),
  ]
  const title = `${paint('bold', adapter.displayName)} (${adapter.agent})`
  return [title, ...details(rows, paint, output.width).trimEnd().split('\n')]
}
