import { readFileSync } from 'node:fs'

let version: string | undefined

/** Of this package. */
export function ownVersion(): string {
  version ??= /"version": "(.*)"/.exec(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))?.[1]
  return version ?? 'unknown'
}
