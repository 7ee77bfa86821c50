import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { manifests } from './manifests.ts'

const HERE = import.meta.dirname
const NAMED = new Set(
  [...readFileSync(join(HERE, 'README.md'), 'utf8').matchAll(/^\| `([^`]+)`/gm)].map(([, name]) => name),
)
/** No agent: the protocol that many of them speak. */
const SHARED = 'acp'

const folders = readdirSync(HERE, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== SHARED)
  .map(({ name }) => name)

function filesOf(folder: string): string[] {
  return readdirSync(join(HERE, folder))
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => name.replace(/\.ts$/, ''))
}

describe('the folders of the agents', () => {
  it.each(folders)('%s has files by the names that all have, or with a reason', (folder) => {
    const files = filesOf(folder)
    expect(files).toEqual(expect.arrayContaining(['index', 'manifest']))
    expect(files.filter((file) => !NAMED.has(file) && !NAMED.has(`${folder}/${file}`))).toEqual([])
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
