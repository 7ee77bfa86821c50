import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { manifests } from './manifests.ts'

const HERE = import.meta.dirname
const NAMED = new Set(
  [...readFileSync(join(HERE, 'README.md'), 'utf8').matchAll(/^\| `([^`]+)`/gm)].map(([, name]) => name),
)
/** What agents share; every other folder is one agent. */
const SHARED = ['families', 'kit']

const folders = readdirSync(HERE, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !SHARED.includes(entry.name))
  .map(({ name }) => name)

function filesOf(folder: string): string[] {
  return readdirSync(join(HERE, folder))
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => name.replace(/\.ts$/, ''))
}

function textOf(folder: string, file: string): string {
  return readFileSync(join(HERE, folder, `${file}.ts`), 'utf8')
}

const ORDER = [
  'manifest',
  'buildSpawnArgs',
  'createDialogue',
  'sessions',
  'hooks',
  'endpointOverride',
  'terminal',
  'models',
  'quota',
  'plugins',
]

describe('the folders of the agents', () => {
  it('are what the lists of agents were written from', () => {
    const script = fileURLToPath(new URL('../../scripts/list-agents.mjs', import.meta.url))
    const { status, stdout } = spawnSync(process.execPath, [script, '--check'], { encoding: 'utf8' })
    expect({ status, stdout }).toEqual({ status: 0, stdout: '' })
  })

  it.each(folders)('%s has files by the names that all have, or with a reason', (folder) => {
    const files = filesOf(folder)
    expect(files).toEqual(expect.arrayContaining(['index', 'manifest']))
    expect(files.filter((file) => !NAMED.has(file) && !NAMED.has(`${folder}/${file}`))).toEqual([])
  })

  it.each(folders)('%s binds its parts in the order that all do', (folder) => {
    const [, list = ''] = /adapterOf\(\{([^}]*)\}/.exec(textOf(folder, 'index')) ?? []
    const parts = list.split(',').flatMap((part) => part.trim() || [])
    expect(parts).toEqual(ORDER.filter((part) => parts.includes(part)))
  })

  it.each(folders)('%s has its state and its tools where all have them', (folder) => {
    const holding = (words: RegExp) => filesOf(folder).filter((file) => words.test(textOf(folder, file)))
    expect(holding(/^(export )?interface \w*State \{/m).filter((file) => file !== 'state')).toEqual([])
    expect(holding(/\bkind: '(shell|patch)'/).filter((file) => file !== 'tools')).toEqual([])
  })

  it('every reason is still needed', () => {
    const own = [...NAMED].filter((name) => name?.includes('/'))
    expect(
      own.filter((name) => !folders.some((folder) => filesOf(folder).some((file) => `${folder}/${file}` === name))),
    ).toEqual([])
  })

  it('there is one for each manifest', () => {
    expect(manifests.map(({ agent }) => agent).sort()).toEqual([...folders].sort())
  })
})

it('what marks a process below an agent is never passed on to it', () => {
  const leaks = manifests.flatMap(({ agent, hostEnvSignals = [], passEnv = [] }) =>
    hostEnvSignals
      .filter((signal) =>
        passEnv.some((name) => name === signal || (name.endsWith('*') && signal.startsWith(name.slice(0, -1)))),
      )
      .map((signal) => `${agent}: ${signal}`),
  )
  expect(leaks).toEqual([])
})
