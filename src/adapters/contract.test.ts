import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'vitest'
import { adapterContract, readRecording } from '../testing/index.ts'
import { builtInAdapters, loadAdapterFor } from './index.ts'

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
    for (const { name, run } of adapterContract({ create, recordings })) test(name, run)
  })
}
