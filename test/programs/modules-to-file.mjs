// Adds every module that is imported or required to the file named by MODULES_FILE. For `--import`.
import { appendFileSync } from 'node:fs'
import Module, { register } from 'node:module'
import { pathToFileURL } from 'node:url'
import { isMainThread } from 'node:worker_threads'

const note = (url) => appendFileSync(process.env.MODULES_FILE, `${url}\n`)

export async function resolve(specifier, context, next) {
  const resolved = await next(specifier, context)
  note(resolved.url)
  return resolved
}

if (isMainThread) {
  register(import.meta.url)
  const load = Module._load
  Module._load = (request, parent, isMain) => {
    const found = Module._resolveFilename(request, parent, isMain)
    note(Module.isBuiltin(found) ? found : pathToFileURL(found).href)
    return load(request, parent, isMain)
  }
}
