import { readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'
import { loadAdapterFor } from '../../adapters/index.ts'
import { sessionStores } from '../../adapters/session-stores.ts'
import { renderHandoff, SMALLEST_BUDGET } from './render.ts'

const ADAPTERS = join(import.meta.dirname, '..', '..', 'adapters')
/** What lies beside a session and is none. */
const BESIDE = /(^sessions|settings|summary|usage|_3ingh)\.json$|^subagent\.jsonl$/
/** Agents that keep a session in many files, one of which stands for it. */
const MAIN_FILE: Readonly<Record<string, string>> = { vibe: 'CURRENT' }
/** Kept in databases, which the conformance suite lets the real CLIs fill. */
const IN_DATABASES = ['hermes', 'kilo', 'openclaw', 'opencode', 'opencode-http']

function recordings(agent: string): string[] {
  const folder = join(ADAPTERS, agent, 'fixtures', 'sessions')
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
  return files
    .filter((file) => file.isFile() && (MAIN_FILE[agent] ?? file.name) === file.name && !BESIDE.test(file.name))
    .map((file) => relative(ADAPTERS, join(file.parentPath, file.name)))
}

const agents = sessionStores.map(({ agent }) => agent).filter((agent) => !IN_DATABASES.includes(agent))

describe.each(agents)('a session of %s', (agent) => {
  test.each(recordings(agent))('%s', async (name) => {
    const path = join(ADAPTERS, name)
    const adapter = await loadAdapterFor(agent, {})
    const session = await adapter.parseSessionFile(path)
    const said = session.messages.map(({ content }) => content.trim()).filter((content) => content !== '')
    expect(said.length).toBeGreaterThan(0)

    const request = { session, from: adapter.displayName, prompt: 'Paint it green.' }
    const whole = renderHandoff({ ...request, budget: 24_000 })
    for (const words of said) expect(whole.text).toContain(words)
    expect(whole.text).toContain(`a user had with ${adapter.displayName}`)
    expect(whole.text.endsWith('Paint it green.')).toBe(true)
    expect(whole.leftOut).toEqual({ turns: 0, messages: 0, shortened: 0 })

    const small = renderHandoff({ ...request, budget: SMALLEST_BUDGET })
    expect(small.tokens).toBeLessThanOrEqual(SMALLEST_BUDGET)
    const isCut = small.leftOut.turns + small.leftOut.shortened > 0
    expect(small.text.includes('Left out: ')).toBe(isCut)
  })
})
