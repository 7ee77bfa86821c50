import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { AgentCapabilities } from '../contract/capabilities.ts'
import { allChecks } from '../verify/suite.ts'
import { builtInAdapters } from './index.ts'
import { manifests } from './manifests.ts'

/** Why a capability needs no check of its own on a real CLI. */
const REASONS: Readonly<Record<string, string>> = {
  agent: 'a name',
  authFiles: 'derived from `auth.files`; auth-files.test.ts walks over all of them',
  authMethods: 'derived from `auth`; auth-files.test.ts',
  installMethods: 'advice; the toolchain installs by npmPackage in every conformance run',
  supportedPlatforms: 'a statement of the vendor; the suite runs on one platform',
  requiresGitRepo: 'every check runs in a directory without a repository',
  requiresPty: 'every check without a terminal would fail',
  maxParallelTasks: 'a statement of the vendor',
  requiresToolApproval: 'the checks of approvals tell which calls are asked about',
  supportsTextStreaming: 'the check `text` looks at the pieces',
  supportsToolCallStreaming: 'the golden recordings hold the pieces',
  supportsThinkingStreaming: 'the check `thinking` looks at the pieces',
  supportsInteractiveMode: 'follows from supportsMultiTurn, which is checked',
  supportsStdinInjection: 'follows from supportsMultiTurn, which is checked',
  supportsParallelExecution: 'what a sub-agent does beside its parent; supportsSubagentDispatch is checked',
  supportsThinkingBudgetTokens:
    'gate-capabilities.ts refuses where it is false; args.test.ts of the agent where it is not',
  supportsThinkingOverride: 'gate-capabilities.ts refuses where it is false; args.test.ts of the agent where it is not',
  supportsJsonMode: 'follows from supportsStructuredOutput, which is checked',
  supportsStructuredOutput:
    'the checks `schema` and `schema-broken` run for every agent, with a place for it or without',
  samplingOptions: 'the check `sampling` looks for each in the request, and that the others are refused',
  supportsMaxTurns: 'the check `max-turns` counts the requests of every agent',
  callsToolsEarly: 'the check `max-turns` counts the requests of every agent',
  supportsImageOutput: 'no model of the scripted server paints; the golden recordings hold one',
  skillsFormat: 'says how supportsSkills is meant, which is checked',
  pluginFormats: 'below: only with plugins',
  pluginRegistries: 'below: searchable only with a command that searches',
  pluginInstallCmd: 'the check of plugins runs it',
  pluginListCmd: 'the check of plugins runs it',
  pluginUninstallCmd: 'the check of plugins runs it',
  pluginUpdateCmd: 'plugins.test.ts reads what the real command prints',
  pluginSearchCmd: 'plugins.test.ts reads what the real command prints',
  pluginMarketplaceUrl: 'an address for people',
  reportsCost: 'usage-truth holds costs against the server',
  usageAfterTurn: 'the checks of budgets and stopped turns run for every agent',
  unreported: 'turns checks off, each by name',
  unreportedLive: 'turns checks off, each by name',
  unreportedOneShot: 'turns checks off, each by name',
  structuredSessionTransport: 'follows from supportsMultiTurn and canResume, which are checked',
}

/** Off in the way of its kind. One check asks for images and files together. */
function without(capabilities: AgentCapabilities, name: string): AgentCapabilities {
  const together = TOGETHER.includes(name) ? TOGETHER : [name]
  const off = together.map((one) => [one, offOf(Reflect.get(capabilities, one))])
  return { ...capabilities, ...Object.fromEntries(off) }
}
const TOGETHER = ['supportsImageInput', 'supportsFileAttachments']

function offOf(value: unknown): unknown {
  if (Array.isArray(value)) return []
  if (typeof value === 'boolean') return false
  return typeof value === 'string' ? 'none' : undefined
}

function isDeclared(value: unknown): boolean {
  const isNothing = value === undefined || value === false || value === null || value === 'none'
  return !isNothing && !(Array.isArray(value) && value.length === 0)
}

/** The checks that are made because of this capability: they would not be without it. */
function checksOf(capabilities: AgentCapabilities, name: string): string[] {
  const off = without(capabilities, name)
  const depends = allChecks.filter(({ applies }) => applies?.(capabilities) === true && applies(off) !== true)
  return depends.map((check) => check.name)
}

const declared = manifests.flatMap(({ agent, verification, capabilities }) =>
  Object.entries(capabilities)
    .filter(([, value]) => isDeclared(value))
    .map(([name]) => ({ agent, verification, name, checks: checksOf(capabilities, name) })),
)

test('every capability that an adapter declares leads to a check on the real CLI, or has a reason why not', () => {
  expect(declared.length).toBeGreaterThan(500)
  const bare = declared.filter(({ name, checks }) => checks.length === 0 && REASONS[name] === undefined)
  expect(bare.map(({ agent, name }) => `${agent} ${name}`)).toEqual([])
})

test('of a verified agent, such a check was seen to pass in the last whole run', () => {
  const rows: { agent: string; check: string; status: string }[] = JSON.parse(
    readFileSync(new URL('../../conformance/matrix.json', import.meta.url), 'utf8'),
  )
  const passed = new Set(
    rows.filter(({ status }) => status === 'passed').map(({ agent, check }) => `${agent} ${check}`),
  )
  const proven = declared.filter(({ verification, checks }) => verification === 'verified' && checks.length > 0)
  expect(proven.length).toBeGreaterThan(200)
  const unseen = proven.filter(({ agent, checks }) => !checks.some((check) => passed.has(`${agent} ${check}`)))
  expect(unseen.map(({ agent, name, checks }) => `${agent} ${name}: ${checks.join(', ')}`)).toEqual([])
})

test('no reason is left over', () => {
  const all = new Set(manifests.flatMap(({ capabilities }) => Object.keys(capabilities)))
  const optional = ['maxParallelTasks', 'pluginMarketplaceUrl', 'reportsCost', 'unreportedLive', 'unreportedOneShot']
  expect(Object.keys(REASONS).filter((name) => !all.has(name) && !optional.includes(name))).toEqual([])
})

const adapters = await Promise.all(builtInAdapters.map(({ load }) => load()))

describe.each(adapters.map((adapter) => ({ name: adapter.agent, adapter })))('$name', ({ adapter }) => {
  const { capabilities } = adapter

  test('what it says of plugins fits together', () => {
    const commands = Object.keys(capabilities).filter((name) => /^plugin\w+Cmd$/.test(name))
    if (!capabilities.supportsPlugins) {
      expect({ formats: capabilities.pluginFormats, registries: capabilities.pluginRegistries, commands }).toEqual({
        formats: [],
        registries: [],
        commands: [],
      })
    }
    const canSearch = capabilities.pluginSearchCmd !== undefined
    for (const { name, searchable } of capabilities.pluginRegistries) {
      expect([name, searchable && !canSearch]).toEqual([name, false])
    }
  })

  test('what it can do has a member that does it', () => {
    expect(adapter.discoverModels !== undefined).toBe(capabilities.supportsModelDiscovery ?? false)
    expect(adapter.planLaunch !== undefined).toBe(capabilities.supportsTerminal ?? false)
    expect(adapter.readScreen !== undefined).toBe(capabilities.supportsTerminal ?? false)
    if (capabilities.runtimeHooks) expect(adapter.planHooks).toBeDefined()
    expect(adapter.planRestore).toBeDefined()
    expect(adapter.getActivityState).toBeDefined()
  })

  test('its sessions are looked for in a folder of its own, or in ours', () => {
    expect(adapter.sessionDir()).not.toContain('no-sessions')
  })

  test('without its CLI every question gets the error of a run', async () => {
    const home = '/nonexistent'
    const bare = Reflect.construct(adapter.constructor, [
      { env: { HOME: home, PATH: join(home, 'bin') }, homeDir: home },
    ])
    const missing = { code: 'AGENT_NOT_INSTALLED', message: expect.stringContaining(`no \`${adapter.cliCommand}\``) }
    if (capabilities.supportsModelDiscovery) await expect(bare.discoverModels()).rejects.toMatchObject(missing)
    if (capabilities.supportsQuota) await expect(bare.getQuotaStatus()).rejects.toMatchObject(missing)
    if (!capabilities.supportsPlugins) return
    if (capabilities.pluginListCmd) await expect(bare.listPlugins()).rejects.toMatchObject(missing)
    if (capabilities.pluginSearchCmd) await expect(bare.searchPlugins('x')).rejects.toMatchObject(missing)
    await expect(bare.installPlugin('x')).rejects.toMatchObject(missing)
    if (capabilities.pluginUninstallCmd) await expect(bare.uninstallPlugin('x')).rejects.toMatchObject(missing)
    if (capabilities.pluginUpdateCmd) await expect(bare.updatePlugin('x')).rejects.toMatchObject(missing)
  })
})
