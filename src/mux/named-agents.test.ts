import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { program } from '../../test/support/adapters.ts'
import { collect, temporaryDirectory, testClient } from '../../test/support/client.ts'

const COMMAND = `"${process.execPath}" "${program('acp-agent')}"`

test('any ACP agent by its command line', async () => {
  const mux = testClient()
  const agent = `acp:${COMMAND} '{"capabilities":{"loadSession":true}}'`
  const { result } = await collect(mux.run({ agent, prompt: 'hello you' }))
  expect(result).toMatchObject({ agent, outcome: { kind: 'completed' }, text: 'Hello you said: you', unrecognized: {} })
  expect(mux.adapters.capabilities(agent).canResume).toBe(true)
  expect(await mux.adapters.detect(agent)).toMatchObject({ agent, installed: true })
  expect(mux.adapters.list().map((info) => info.agent)).not.toContain(agent)
})

test('by a name in the settings of the user, with variables of its own', async () => {
  const configDir = temporaryDirectory()
  const agents = { mine: { acp: COMMAND, env: { OF_ITS_OWN: 'yes' } }, broken: { acp: 1 } }
  writeFileSync(join(configDir, 'config.json'), JSON.stringify({ agents }))
  const mux = testClient([], { configDir })
  const { result } = await collect(mux.run({ agent: 'mine', prompt: 'hello' }))
  expect(result).toMatchObject({ agent: 'mine', outcome: { kind: 'completed' } })
  expect(() => mux.run({ agent: 'broken', prompt: 'x' })).toThrow(/agents\.broken must be/)
})

test('a project names no agents', () => {
  const projectConfigDir = temporaryDirectory()
  writeFileSync(join(projectConfigDir, 'config.json'), JSON.stringify({ agents: { mine: { acp: COMMAND } } }))
  const mux = testClient([], { projectConfigDir, configDir: temporaryDirectory() })
  expect(() => mux.run({ agent: 'mine', prompt: 'x' })).toThrow(/Unknown agent/)
})

test('nor a command line as the default agent', () => {
  const projectConfigDir = temporaryDirectory()
  writeFileSync(join(projectConfigDir, 'config.json'), JSON.stringify({ defaultAgent: `acp:${COMMAND}` }))
  const mux = testClient([], { projectConfigDir, configDir: temporaryDirectory() })
  expect(() => mux.run({ prompt: 'x' })).toThrow(/name a command line/)
})

test.each(['acp:', 'acp:  ', 'acp:"a'])('%j is not a command line', (agent) => {
  expect(() => testClient().run({ agent, prompt: 'x' })).toThrow(/is not a command line/)
})

test('a command that is not there', () => {
  expect(() => testClient().run({ agent: 'acp:no-such-agent --acp', prompt: 'x' })).toThrow(/not installed/)
})
