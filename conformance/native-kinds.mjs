// Holds the kinds of records that a CLI itself lists against those that its adapter has a line for:
// `node conformance/native-kinds.mjs [agent…] [--latest]`. The lines are in `src/adapters/<agent>/fixtures/kinds/<version>.jsonl`.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { recipes } from '../dist/adapters/recipes.js'
import { installPrivately } from '../dist/toolchain/private-install.js'
import { pinnedVersion } from '../dist/toolchain/recipes.js'
import { kindsOf } from './kinds-of.mjs'
import { newestVersion } from './newest-version.mjs'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { latest: { type: 'boolean', default: false } },
})
const here = new URL('.', import.meta.url)

/** The kinds that the adapter has a line for, of whichever version it was written. */
function knownKinds(agent) {
  const directory = new URL(`../src/adapters/${agent}/fixtures/kinds/`, here).pathname
  const lines = readdirSync(directory).flatMap((name) => readFileSync(join(directory, name), 'utf8').trim().split('\n'))
  return new Set(lines.map((line) => JSON.parse(line).kind))
}

let hasNew = false
for (const agent of positionals.length > 0 ? positionals : Object.keys(kindsOf)) {
  const recipe = recipes[agent]
  const version = values.latest ? await newestVersion(recipe) : pinnedVersion(agent, recipe)
  const { binDir } = await installPrivately({ agent, version, recipe, onProgress: (message) => console.log(message) })
  const listed = await kindsOf[agent](binDir, version)
  const known = knownKinds(agent)
  const fresh = listed.filter((kind) => !known.has(kind))
  hasNew ||= fresh.length > 0 || listed.length === 0
  console.log(`${agent} ${version}: ${listed.length} kinds${fresh.length > 0 ? `, not known: ${fresh.join(' ')}` : ''}`)
}
process.exitCode = hasNew && !values.latest ? 1 : 0
