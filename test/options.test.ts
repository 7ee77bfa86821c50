import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { runRequest } from '../src/adapters/agent-mux-remote/options.ts'
import { GLOBAL_FLAGS, parseStrictly } from '../src/cli/command.ts'
import { command as spawnCommand } from '../src/cli/commands/spawn.ts'
import { RUN_FLAGS } from '../src/cli/run/flags.ts'
import { runOptions } from '../src/cli/run/options.ts'
import { daemonRunOptions, secretRunOptions } from '../src/contract/api/run-options.ts'
import { flagEntries, isAt, isSecret, OPTION_NAMES, type OptionName, rowOf } from '../src/contract/options.ts'
import type { RunOptions } from '../src/contract/run-options.ts'
import { splitOptions } from '../src/daemon/sessions/launch-spec.ts'
import { faultOf, validateOptions } from '../src/engine/validate-options.ts'
import { createClient } from '../src/mux/client.ts'
import { settingsAsOptions } from '../src/mux/defaults.ts'
import { bareAdapter, capabilities } from './support/adapters.ts'
import { temporaryDirectory } from './support/client.ts'

const scratch = mkdtempSync(join(tmpdir(), 'amux-options-'))
const file = join(scratch, 'file.json')
writeFileSync(file, '{"type":"object"}')
const policyFile = join(scratch, 'policy.yaml')
writeFileSync(policyFile, 'version: 1\nrules: []\n')
afterAll(() => rmSync(scratch, { recursive: true }))

/** For every option: a value, and the words of a command line that give it. */
const SAMPLES: { [Name in OptionName]-?: { value: NonNullable<RunOptions[Name]>; argv?: string[] } } = {
  agent: { value: 'fake' },
  prompt: { value: 'x' },
  model: { value: 'm', argv: ['--model', 'm'] },
  debug: { value: true, argv: ['--debug'] },
  outputFormat: { value: 'json', argv: ['--output-format', 'json'] },
  outputSchema: { value: { type: 'object' }, argv: ['--output-schema', file] },
  profile: { value: 'p', argv: ['--profile', 'p'] },
  approvalMode: { value: 'accept-edits', argv: ['--accept-edits'] },
  allowedTools: { value: ['A'], argv: ['--allow-tool', 'A'] },
  disallowedTools: { value: ['B'], argv: ['--disallow-tool', 'B'] },
  policy: { value: { version: 1, rules: [] }, argv: ['--policy', policyFile] },
  nonInteractive: { value: true, argv: ['--non-interactive'] },
  sessionId: { value: 's', argv: ['--session', 's'] },
  forkSessionId: { value: 's', argv: ['--fork', 's'] },
  noSession: { value: true, argv: ['--no-session'] },
  newSessionId: { value: 's', argv: ['--session-id', 's'] },
  thinkingEffort: { value: 'high', argv: ['--thinking-effort', 'high'] },
  thinkingBudgetTokens: { value: 2048, argv: ['--thinking-budget', '2048'] },
  thinkingOverride: { value: { a: 1 }, argv: ['--thinking-override', '{"a":1}'] },
  temperature: { value: 0.5, argv: ['--temperature', '0.5'] },
  lenient: { value: true, argv: ['--lenient'] },
  topP: { value: 0.5, argv: ['--top-p', '0.5'] },
  topK: { value: 5, argv: ['--top-k', '5'] },
  maxTokens: { value: 5, argv: ['--max-tokens', '5'] },
  maxOutputTokens: { value: 6, argv: ['--max-output-tokens', '6'] },
  stream: { value: false, argv: ['--no-stream'] },
  systemPrompt: { value: 'Be brief', argv: ['--system', 'Be brief'] },
  systemPromptMode: { value: 'replace', argv: ['--system-mode', 'replace'] },
  endpoint: { value: { baseUrl: 'http://x', apiKey: 'no-key' }, argv: ['--endpoint', 'http://x'] },
  timeout: { value: 30_000, argv: ['--timeout', '30s'] },
  firstEventTimeout: { value: 5000, argv: ['--first-event-timeout', '5s'] },
  limitGraceMs: { value: 5000, argv: ['--limit-grace', '5s'] },
  outageGraceMs: { value: 5000, argv: ['--outage-grace', '5s'] },
  retryMaxWaitMs: { value: 5000, argv: ['--retry-max-wait', '5s'] },
  exitGraceMs: { value: 5000, argv: ['--exit-grace', '5s'] },
  inactivityTimeout: { value: 60_000, argv: ['--inactivity-timeout', '1m'] },
  maxTurns: { value: 3, argv: ['--max-turns', '3'] },
  maxCostUsd: { value: 0.5, argv: ['--max-cost', '0.5'] },
  price: { value: { input: 3, output: 15, cacheRead: 0.3 }, argv: ['--price', 'in=3,out=15,cache-read=0.3'] },
  retryPolicy: { value: { maxRetries: 2 }, argv: ['--retries', '2'] },
  cwd: { value: '/', argv: ['--cwd', '/'] },
  addDirs: { value: ['/'], argv: ['--add-dir', '/'] },
  attachments: { value: [{ filePath: file }], argv: ['--attach', file] },
  mcpServers: { value: [{ name: 'a', command: 'b', args: [] }], argv: ['--mcp-server', 'a=b'] },
  skills: { value: ['s'], argv: ['--skill', 's'] },
  agentsDoc: { value: '{"type":"object"}', argv: ['--agents-doc', file] },
  env: { value: { A: '1' }, argv: ['--env', 'A=1'] },
  passEnv: { value: ['B'], argv: ['--pass-env', 'B'] },
  tags: { value: ['t'], argv: ['--tag', 't'] },
  runId: { value: '01ARZ3NDEKTSV4RRFFQ69G5FAV', argv: ['--run-id', '01ARZ3NDEKTSV4RRFFQ69G5FAV'] },
  projectId: { value: 'p', argv: ['--project-id', 'p'] },
  continuedFrom: { value: 'claude:s' },
  keepOpen: { value: true },
  gracePeriodMs: { value: 100 },
  eventBufferSize: { value: 200 },
  collectEvents: { value: false },
  invocation: { value: { mode: 'local' } },
  onInputRequired: { value: () => '' },
  onApprovalRequest: { value: () => 'deny' },
  signal: { value: new AbortController().signal },
}

const ALL = OPTION_NAMES.map((name) => ({ name, ...SAMPLES[name] }))
const MODES = ['prompt', 'accept-edits', 'yolo', 'deny'] as const
const WRONG: unknown[] = [null, Symbol('wrong'), -1, [null]]

function given(name: OptionName, value: unknown): RunOptions {
  return { agent: 'fake', prompt: 'x', [name]: value }
}

describe.each(ALL)('the option $name', ({ name, value, argv }) => {
  test('is checked by the library', () => {
    expect(() => validateOptions(given(name, value))).not.toThrow()
    for (const wrong of WRONG) {
      expect(faultOf(name, wrong), String(wrong)).not.toBeNull()
      expect(() => validateOptions(given(name, wrong))).toThrow(name)
    }
  })

  test.runIf(argv)('comes from its flag to a run', () => {
    const { values } = parseStrictly(argv ?? [], { ...RUN_FLAGS, ...GLOBAL_FLAGS }, 'run')
    expect(runOptions(values, {})).toHaveProperty(name, value)
    const [flag = ''] = argv ?? []
    expect(flagEntries(name).map(([one]) => `--${one}`)).toContain(flag)
  })

  test('has a flag of `spawn` and a field of the API, or neither', () => {
    const flags = flagEntries(name).map(([flag]) => flag)
    const elsewhere = Object.keys(GLOBAL_FLAGS)
    const inSpawn = flags.filter((flag) => Object.hasOwn(spawnCommand.flags, flag))
    // The agent and the directory of a session go beside its options.
    const expected =
      isAt('daemon', name) || name === 'agent' || name === 'cwd'
        ? flags.filter((flag) => !elsewhere.includes(flag))
        : []
    expect(inSpawn).toEqual(expected)
    const parsed = daemonRunOptions.safeParse({ [name]: value })
    expect(parsed.success).toBe(isAt('daemon', name))
    if (parsed.success) expect(parsed.data).toEqual({ [name]: value })
    expect(daemonRunOptions.safeParse({ [name]: Symbol('wrong') }).success).toBe(false)
  })

  test('is kept from the disk when it may hold a secret', () => {
    expect(secretRunOptions.safeParse({ [name]: value }).success).toBe(isSecret(name))
    if (!isAt('daemon', name)) return
    const { open, secrets } = splitOptions({ [name]: value })
    expect(Object.keys(secrets)).toEqual(isSecret(name) ? [name] : [])
    expect(Object.keys(open).includes(name)).toBe(!isSecret(name))
  })

  test('can be in a profile, or is refused there', async () => {
    const configDir = temporaryDirectory()
    const { profiles } = createClient({ configDir, projectConfigDir: configDir })
    const set = profiles.set('p', { [name]: value })
    if (isAt('profile', name)) {
      await set
      expect(profiles.apply('p')).toEqual({ [name]: value })
    } else await expect(set).rejects.toThrow(name)
  })

  test('can be a setting, or is refused there', () => {
    const isSetting = isAt('settings', name)
    expect(settingsAsOptions({ [name]: value })[name]).toEqual(isSetting ? value : undefined)
    const create = () => createClient({ [name]: value })
    if (isSetting) create()
    else expect(create).toThrow(name)
    const configDir = temporaryDirectory()
    writeFileSync(join(configDir, 'config.json'), JSON.stringify({ [name]: value }) ?? '{}')
    const mux = createClient({ configDir, projectConfigDir: configDir })
    mux.adapters.register(
      bareAdapter(
        'fake',
        { args: ['-e', ''] },
        { capabilities: capabilities('fake', { approvalModes: [...MODES], supportsApprovals: true }) },
      ),
    )
    const check = () => mux.check({ agent: 'fake', prompt: 'x' })
    if (isSetting) expect(check()).toHaveProperty(name, value)
    else if (JSON.stringify({ [name]: value }) !== '{}') expect(check).toThrow(name)
  })

  test('goes to a remote agent-mux, or stays here', () => {
    const request = JSON.parse(JSON.stringify(runRequest(given(name, value))))
    if (isAt('remote', name)) expect(request.options[name]).toEqual(value)
    else expect(request.options[name]).not.toEqual(value)
  })

  test('is never both free for a project and secret', () => {
    const { secret, project } = rowOf(name)
    if (secret) expect(project).toBe('widens')
  })
})

test.each([
  ['timout', 'timeout'],
  ['approvalmode', 'approvalMode'],
  ['maxCost', 'maxCostUsd'],
])('%s is refused with the option that was meant', (wrong, meant) => {
  expect(() => validateOptions({ ...given('model', 'm'), [wrong]: 1 })).toThrow(`did you mean ${meant}?`)
})

test.each([
  ['retryPolicy', { maxRetrys: 2 }],
  ['endpoint', { baseUrl: 'http://x' }],
  ['invocation', { mode: 'elsewhere' }],
] as const)('%s with parts that are not its own is refused', (name, value) => {
  expect(faultOf(name, value)).not.toBeNull()
})

test('createClient refuses a name that it does not know', () => {
  const options: object = { defualtAgent: 'claude' }
  expect(() => createClient(options)).toThrow(
    'defualtAgent: is not an option of createClient: did you mean defaultAgent?',
  )
})
