import { subjects } from '../../adapters/subjects.ts'
import type { AgentAdapter } from '../../contract/adapter.ts'
import { isAgentMuxError } from '../../contract/errors.ts'
import type { RunOptions } from '../../contract/run-options.ts'
import { asRecord, parseRecord } from '../../core/json.ts'
import { extractVersion, meetsVersion } from '../../core/version.ts'
import { type Bench, type Check, must, mustEnd, mustKeepOrder, mustSee } from '../check.ts'

/** Each option by itself: what an agent refuses does not hide the others. */
const OPTIONS: readonly Partial<RunOptions>[] = [
  {},
  { model: 'some-model' },
  { sessionId: 'some-session' },
  { forkSessionId: 'some-session' },
  { newSessionId: '00000000-0000-4000-8000-000000000000' },
  { noSession: true },
  { maxTurns: 3 },
  { addDirs: ['/tmp'] },
  { systemPrompt: 'words', systemPromptMode: 'append' },
  { systemPrompt: 'words', systemPromptMode: 'replace' },
  { thinkingEffort: 'high' },
  { allowedTools: ['Bash'] },
  { disallowedTools: ['Bash'] },
  { outputSchema: { type: 'object' } },
  { attachments: [{ filePath: 'picture.png' }] },
  { mcpServers: [{ name: 'tiny', command: 'true' }] },
  { approvalMode: 'prompt' },
  { approvalMode: 'accept-edits' },
  { approvalMode: 'yolo' },
  { approvalMode: 'deny' },
]

function flagsOf(adapter: AgentAdapter, options: Partial<RunOptions>, cwd: string): string[] {
  try {
    const { args } = adapter.buildSpawnArgs({ agent: adapter.agent, prompt: 'words', cwd, ...options })
    return args.flatMap((arg) => /^--?[a-zA-Z][\w-]*/.exec(arg)?.[0] ?? [])
  } catch (error) {
    if (isAgentMuxError(error)) return []
    throw error
  }
}

/** All flags that the adapter can ever write. */
function allFlags(adapter: AgentAdapter, cwd: string): string[] {
  const forms = OPTIONS.flatMap((options) => [options, { ...options, nonInteractive: true }])
  return [...new Set(forms.flatMap((options) => flagsOf(adapter, options, cwd)))]
}

async function checkNoAccount(bench: Bench, nonInteractive: boolean): Promise<void> {
  const run = await bench.run({ endpoint: undefined, model: undefined, nonInteractive })
  mustEnd(run, 'auth_required')
  mustKeepOrder(run)
  must(mustSee(run, 'auth_error').guidance !== '', 'there is no guidance on how to sign in')
  const left = await bench.processesLeft(run.result.runId)
  must(left.length === 0, `processes left: ${left.join(', ')}`)
}

const INITIALIZE = { protocolVersion: 1, clientCapabilities: {}, clientInfo: { name: 'agent-mux', version: '0.0.0' } }

/** What holds for an agent whose models need an account: as far as its real CLI goes without one. */
export const withoutAccount: readonly Check[] = [
  {
    name: 'version',
    title: 'its version is known, and not too old',
    scenario: 'text',
    async run({ adapter, execute }) {
      const { stdout } = await execute(adapter.manifest?.versionArgs ?? ['--version'])
      const version = extractVersion(stdout)
      must(version !== null, `no version in ${JSON.stringify(stdout.slice(0, 100))}`)
      const { minVersion } = adapter
      must(minVersion === undefined || meetsVersion(version, minVersion), `${version} is older than ${minVersion}`)
    },
  },
  {
    name: 'flags',
    title: 'its help knows every flag that we write',
    scenario: 'text',
    async run({ adapter, agent, cwd, execute }) {
      const { stdout, stderr } = await execute(['--help'])
      const known = new Set(`${stdout}\n${stderr}`.match(/(?<![\w-])--?[a-zA-Z][\w-]*/g))
      for (const flag of subjects[agent]?.account?.hiddenFlags ?? []) known.add(flag)
      const unknown = allFlags(adapter, cwd).filter((flag) => !known.has(flag))
      must(unknown.length === 0, `its help does not know ${unknown.join(', ')}`)
    },
  },
  {
    name: 'hidden-flags',
    title: 'it takes the flags that its help does not tell',
    scenario: 'text',
    applies: ({ agent }) => subjects[agent]?.account?.probeArgs !== undefined,
    async run({ agent, execute }) {
      const account = subjects[agent]?.account
      const refuse = async (flag: string) => {
        const { stdout, stderr } = await execute([...(account?.probeArgs ?? []), `${flag}=1`])
        return /unknown (option|argument)/i.test(stdout + stderr)
      }
      must(await refuse('--no-such-flag-at-all'), 'it does not say which flags it does not know')
      for (const flag of account?.hiddenFlags ?? []) must(!(await refuse(flag)), `it does not know ${flag}`)
    },
  },
  {
    name: 'handshake',
    title: 'ACP handshake',
    scenario: 'text',
    applies: ({ agent }) => subjects[agent]?.account?.speaksAcp ?? false,
    async run({ adapter, cwd, execute }) {
      const { args } = adapter.buildSpawnArgs({ agent: adapter.agent, prompt: 'words', cwd })
      const hello = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: INITIALIZE })
      const { stdout } = await execute(args, { stdin: `${hello}\n`, until: /\n/ })
      const result = asRecord(parseRecord(stdout.split('\n')[0] ?? '')?.result)
      must(result?.protocolVersion === 1, `its answer is ${JSON.stringify(stdout.slice(0, 200))}`)
    },
  },
  { name: 'no-account', title: 'no account', scenario: 'text', run: (bench) => checkNoAccount(bench, false) },
  {
    name: 'one-shot-no-account',
    title: 'no account, one-shot',
    scenario: 'text',
    run: (bench) => checkNoAccount(bench, true),
  },
]
