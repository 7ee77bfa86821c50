// A loader hook that adds every module that is loaded to the file named by MODULES_FILE.
import { appendFileSync } from 'node:fs'

export async function resolve(specifier, context, next) {
  const resolved = await next(specifier, context)
  appendFileSync(process.env.MODULES_FILE, `${resolved.url}\n`)
  return resolved
}
