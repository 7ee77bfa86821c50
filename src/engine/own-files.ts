import { readdir, readFile, realpath, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { OwnFileRequest } from '../contract/dialogue.ts'
import { escapePattern } from '../core/escape-pattern.ts'
import { isBelow } from './is-below.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** What the agent has written down itself. The id in the path is its word, so the file must still be below its directory. */
export async function readOwnFile(request: OwnFileRequest, env: Environment): Promise<string> {
  const { variable, home, path, query, waitMs = 0 } = request
  await sleep(waitMs)
  const base = env[variable] || join(env.HOME ?? homedir(), home)
  const file = await newestFile(base, path)
  if (file === null) throw Object.assign(new Error(`There is no ${path} in ${base}`), { code: 'ENOENT' })
  return query ? readRows(file, query) : readFile(file, 'utf8')
}

async function newestFile(base: string, pattern: string): Promise<string | null> {
  const root = await realpath(base).catch(() => null)
  if (root === null) return null
  let newest: { file: string; changedAt: number } | null = null
  for (const path of await placesOf(root, pattern)) {
    const file = await realpath(path).catch(() => null)
    if (file === null || !isBelow(root, file)) continue
    const { mtimeMs } = await stat(file)
    if (newest === null || mtimeMs > newest.changedAt) newest = { file, changedAt: mtimeMs }
  }
  return newest?.file ?? null
}

/** A `*` stands for any part of one name. */
async function placesOf(root: string, pattern: string): Promise<string[]> {
  let places = [root]
  for (const part of pattern.split('/')) {
    const accept = part.includes('*') ? nameTest(part) : null
    const next = await Promise.all(
      places.map(async (place) => (accept ? (await namesIn(place)).filter(accept) : [part]).map((n) => join(place, n))),
    )
    places = next.flat()
  }
  return places
}

function nameTest(part: string): (name: string) => boolean {
  const pattern = new RegExp(`^${part.split('*').map(escapePattern).join('.*')}$`)
  return (name) => pattern.test(name)
}

function namesIn(directory: string): Promise<string[]> {
  return readdir(directory).catch(() => [])
}

async function readRows(file: string, { sql, values }: NonNullable<OwnFileRequest['query']>): Promise<string> {
  const { openReadOnly } = await import('../files/sqlite.ts')
  const database = await openReadOnly(file)
  try {
    return database
      .all(sql, ...values)
      .map((row) => JSON.stringify(row))
      .join('\n')
  } finally {
    database.close()
  }
}
