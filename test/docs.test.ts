import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { renderAgentPage, renderCapabilities, renderReadme } from '../conformance/docs.mjs'
import { seenEvents } from '../conformance/seen-events.mjs'
import { builtInAdapters } from '../src/adapters/index.ts'
import { recipes } from '../src/adapters/recipes.ts'
import { AGENT_EVENT_TYPES } from '../src/contract/event-guards.ts'

const root = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const manifests = builtInAdapters.map(({ manifest }) => manifest)
const events = { types: AGENT_EVENT_TYPES, seen: seenEvents(join(root, 'src/adapters')) }
const matrix = JSON.parse(read('conformance/matrix.json'))

// Stale pages would tell users of things that are no longer so: `npm run docs` writes them anew.
describe('generated pages are up to date', () => {
  test('docs/capabilities.md', () => {
    expect(read('docs/capabilities.md')).toBe(renderCapabilities(manifests, matrix, events))
  })
  test('README.md', () => {
    expect(read('README.md')).toBe(renderReadme(read('README.md'), manifests, matrix))
  })
  for (const manifest of manifests) {
    test(`docs/agents/${manifest.agent}.md`, () => {
      expect(read(`docs/agents/${manifest.agent}.md`)).toBe(renderAgentPage(manifest, matrix))
    })
  }
})

describe('what is called proven was proven', () => {
  for (const { agent, provenVersion, verification } of manifests.filter(({ agent }) => recipes[agent])) {
    test(agent, () => {
      expect(provenVersion).toMatch(/\d/)
      const results = matrix.filter((result: { agent: string }) => result.agent === agent)
      for (const { version, check, status } of results) expect([version, check, status]).not.toContain('failed')
      if (verification === 'verified') expect(results.length).toBeGreaterThan(20)
    })
  }
})
