// A loader hook that tells on fd 3 every module that is loaded.
import { writeSync } from 'node:fs'

export async function resolve(specifier, context, next) {
  const resolved = await next(specifier, context)
  writeSync(3, `${resolved.url}\n`)
  return resolved
}
