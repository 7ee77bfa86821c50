import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AgentAdapter } from '../contract/adapter.ts'
import { HOOK_MARK, type HookContext, type HookFile } from '../contract/hooks.ts'
import { builtInAdapters } from './index.ts'

const context: HookContext = {
  homeDir: '/home/user',
  env: {},
  workspace: '/work space',
  callback: `/da ta/hooks/${HOOK_MARK}`,
  dataDir: '/da ta',
}

const adapters = await Promise.all(builtInAdapters.map(({ load }) => load()))
const hooked = adapters.flatMap((adapter): [string, AgentAdapter][] =>
  adapter.planHooks ? [[adapter.agent, adapter]] : [],
)

function planOf(adapter: AgentAdapter) {
  const plan = adapter.planHooks?.(context)
  if (!plan) throw new Error(`${adapter.agent} has no plan`)
  return plan
}

test('every agent that is known to have hooks has a plan for them', () => {
  const claimed = adapters.filter(({ capabilities }) => capabilities.runtimeHooks !== undefined)
  expect(claimed.filter(({ planHooks }) => !planHooks).map(({ agent }) => agent)).toEqual([])
})

test('agents without a plan have no hooks that run, and their page says so', () => {
  const without = adapters.filter(({ planHooks }) => !planHooks)
  const saying = without.filter(({ manifest }) => manifest?.quirks?.some((quirk) => /\bno hooks\b/.test(quirk)))
  expect(saying.map(({ agent }) => agent)).toEqual(expect.arrayContaining(['aider', 'continue']))
  for (const agent of ['amp', 'kiro', 'crush']) expect(hooked.map(([name]) => name)).toContain(agent)
})

describe.each(hooked)('the hooks of %s', (agent, adapter) => {
  const { launch, user, workspace, events } = planOf(adapter)
  const installed: HookFile[] = [...(user?.files ?? []), ...(workspace?.files ?? [])]

  test('are recognised as ours wherever they are', () => {
    for (const file of installed) {
      if (file.kind === 'own') expect(file.content + file.path).toContain(HOOK_MARK)
      else {
        for (const { keyPath, as, value } of file.entries) {
          if (as !== 'default') expect(JSON.stringify([keyPath, value])).toContain(HOOK_MARK)
        }
      }
    }
    for (const file of launch?.files ?? []) expect(file.path.startsWith(join(context.dataDir, 'hooks'))).toBe(true)
  })

  test('are in the home or the workspace, where they belong', () => {
    for (const { path, kind } of user?.files ?? []) {
      expect(path.startsWith('/home/user/') || (kind === 'own' && path.startsWith('/da ta/hooks/'))).toBe(true)
    }
    for (const { path } of workspace?.files ?? []) expect(path.startsWith('/work space/')).toBe(true)
  })

  test('are the same each time, and can be stored', () => {
    expect(planOf(adapter)).toEqual(planOf(adapter))
    expect(JSON.parse(JSON.stringify(planOf(adapter)))).toEqual(planOf(adapter))
  })

  test('are delivered under its name, each event once', () => {
    const text = JSON.stringify([launch, user])
    for (const event of events) expect(text).toContain(event)
    expect(text).toContain(agent)
    expect(new Set(events).size).toBe(events.length)
  })

  test('are read whatever is in them', () => {
    fc.assert(
      fc.property(fc.constantFrom(...events, 'unheard-of'), fc.anything(), (event, payload) => {
        const reading = adapter.readHook?.(event, payload)
        expect(reading === null || typeof reading === 'object').toBe(true)
      }),
    )
  })

  test('report a beginning and an end', () => {
    const states = events.map((event) => adapter.readHook?.(event, { sessionId: 's' })?.evidence?.state)
    expect(states).toContain('active')
    // Crush has no other event than that a tool is about to run.
    if (agent === 'crush') expect(events).toEqual(['PreToolUse'])
    else expect(states).toContain('idle')
  })
})
