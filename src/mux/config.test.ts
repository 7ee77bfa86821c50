import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createClient } from './client.ts'

let home = ''
let project = ''
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'amux-config-home-'))
  project = mkdtempSync(join(tmpdir(), 'amux-config-project-'))
  vi.stubEnv('HOME', home)
  vi.stubEnv('GEMINI_CLI_HOME', undefined)
})
afterEach(() => {
  vi.unstubAllEnvs()
  for (const place of [home, project]) rmSync(place, { recursive: true, force: true })
})

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}

const SETTINGS =
  '{\n  // mine\n  "ui": { "theme": "dark" },\n  "mcpServers": { "own": { "command": "own", "env": { "KEY": "k" } } }\n}\n'
const server = { name: 'tiny', transport: 'stdio' as const, command: 'tiny' }

test('fields are read and written by their path, and comments stay', async () => {
  const { config } = createClient()
  write(join(home, '.gemini/settings.json'), SETTINGS)
  expect(await config.getField('gemini', 'ui.theme')).toBe('dark')
  expect(await config.getField('gemini', 'ui.nothing')).toBeUndefined()
  await config.setField('gemini', 'ui.theme', 'light')
  await config.setField('gemini', 'model', 'gemini-2.5-pro')
  expect(await config.getField('gemini', 'model')).toBe('gemini-2.5-pro')
  expect(await config.getField('gemini', 'native.ui.theme')).toBe('light')
  expect(readFileSync(join(home, '.gemini/settings.json'), 'utf8')).toContain('// mine')
  await expect(config.setField('gemini', '__proto__.x', 1)).rejects.toMatchObject({ code: 'CONFIG_ERROR' })
})

test('a server goes to the file that is named, and takes none of the others along', async () => {
  const { config } = createClient()
  write(join(home, '.gemini/settings.json'), SETTINGS)
  write(join(project, '.gemini/settings.json'), '{}')
  await config.addMcpServer('gemini', server, project)
  const text = readFileSync(join(project, '.gemini/settings.json'), 'utf8')
  expect(text).toContain('tiny')
  expect(text).not.toContain('own')
  expect((await config.getMcpServers('gemini', project)).map(({ name }) => name)).toEqual(['own', 'tiny'])
  await expect(config.addMcpServer('gemini', server, project)).rejects.toMatchObject({ code: 'CONFIG_ERROR' })
  await config.removeMcpServer('gemini', 'tiny', project)
  expect((await config.getMcpServers('gemini', project)).map(({ name }) => name)).toEqual(['own'])
  await expect(config.removeMcpServer('gemini', 'tiny')).rejects.toMatchObject({ hint: 'It has: own.' })
})

test('two at once are both there afterwards', async () => {
  const { config } = createClient()
  await Promise.all(['a', 'b', 'c'].map((name) => config.addMcpServer('gemini', { ...server, name })))
  expect((await config.getMcpServers('gemini')).map(({ name }) => name).sort()).toEqual(['a', 'b', 'c'])
})

test('an agent that nobody knows is a typed error', async () => {
  await expect(createClient().config.get('nope')).rejects.toMatchObject({ code: 'UNKNOWN_AGENT' })
})
