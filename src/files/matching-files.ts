import { readdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { escapePattern } from '../core/escape-pattern.ts'

async function matches(directory: string, name: string): Promise<string[]> {
  if (!name.includes('*')) return [join(directory, name)]
  const pattern = new RegExp(`^${name.split('*').map(escapePattern).join('.*')}$`)
  const names = await readdir(directory).catch(() => [])
  return names.filter((one) => pattern.test(one)).map((one) => join(directory, one))
}

/** The files that a path with `*` for any part of a name stands for. One without any need not exist. */
export async function matchingFiles(path: string): Promise<string[]> {
  const directories = dirname(path).includes('*') ? await matchingFiles(dirname(path)) : [dirname(path)]
  return (await Promise.all(directories.map((directory) => matches(directory, basename(path))))).flat()
}
