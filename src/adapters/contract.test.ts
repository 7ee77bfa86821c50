import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { CapabilityError } from '../contract/errors.ts'
import { adapterContract, readRecording } from '../testing/index.ts'
import { builtInAdapters, loadAdapterFor } from './index.ts'

const PROTOCOLS = ['anthropic', 'openai-responses', 'openai-chat', 'gemini'] as const

// The built-in adapters keep the same contract that third-party ones are held to.
for (const { manifest } of builtInAdapters) {
  const { agent, provenVersion = '' } = manifest
  const fixtures = join(import.meta.dirname, agent, 'fixtures', provenVersion)
  // The plain text run first: the faults are played on it.
  const names = existsSync(fixtures) ? readdirSync(fixtures).sort() : []
  const recordings = names
    .filter((name) => existsSync(join(fixtures, name, 'stdout.jsonl')))
    .map((name) => readRecording(join(fixtures, name)))
  const Adapter = await loadAdapterFor(agent, {})
  describe(agent, () => {
    const create = (homeDir: string) => {
      const host = { env: { HOME: homeDir }, homeDir }
      return Reflect.construct(Adapter.constructor, [host])
    }
    test('an endpoint is taken or refused, never ignored', () => {
      const spoken: readonly string[] = manifest.capabilities.endpointProtocols ?? []
      for (const protocol of PROTOCOLS) {
        const endpoint = { baseUrl: 'http://127.0.0.1:9', apiKey: 'sk-endpoint-key', protocol }
        const build = () => create('/home/x').buildSpawnArgs({ agent, prompt: 'x', model: 'm', endpoint })
        if (!spoken.includes(protocol)) expect(build, protocol).toThrow(CapabilityError)
        // There the options travel in the first record.
        else if (agent !== 'agent-mux-remote') expect(JSON.stringify(build()), protocol).toContain('http://127.0.0.1:9')
      }
      expect(create('/home/x').endpointOverride !== undefined || agent === 'agent-mux-remote').toBe(spoken.length > 0)
    })
    // At once, because most of the time of the faults is a grace that a program gets.
    for (const { name, run } of adapterContract({ create, recordings })) test.concurrent(name, run)
  })
}
