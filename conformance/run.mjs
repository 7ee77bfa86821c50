// Proves the adapters on the real CLIs: `npm run conformance [-- agent…] [--scenario name] [--latest] [--update]`.
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { builtInAdapters } from '../dist/adapters/index.js'
import { installPrivately } from '../dist/toolchain/private-install.js'
import { recipes } from '../dist/toolchain/recipes.js'
import { allChecks, runSuite } from '../dist/verify/suite.js'
import { newestVersion } from './newest-version.mjs'
import { renderMatrix, summarise } from './report.mjs'

const USAGE = `usage: npm run conformance -- [agent…] [--scenario NAME]… [--latest] [--update] [--parallel N]
  --scenario NAME   only this check (repeatable)
  --latest          the newest published versions instead of the pinned ones; drift is reported, never a failure
  --update          keep the rows in conformance/matrix.json, from which the tables in the docs are made and which
                    says what runs when no agent is named`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    scenario: { type: 'string', multiple: true, default: [] },
    latest: { type: 'boolean', default: false },
    update: { type: 'boolean', default: false },
    parallel: { type: 'string', default: '2' },
    help: { type: 'boolean', short: 'h', default: false },
  },
})
if (values.help) {
  console.log(USAGE)
  process.exit(0)
}

const here = new URL('.', import.meta.url)
const { dependencies: pins } = JSON.parse(await readFile(new URL('package.json', here), 'utf8'))
const known = builtInAdapters.map(({ manifest }) => manifest).filter(({ agent }) => recipes[agent])
// What was proven once has to stay proven: without a name, every agent of the matrix. A new one joins it with --update.
const proven = JSON.parse(await readFile(new URL('matrix.json', here), 'utf8').catch(() => '[]'))
const agents = positionals.length > 0 ? positionals : [...new Set(proven.map(({ agent }) => agent))]
for (const agent of agents) {
  if (known.some((manifest) => manifest.agent === agent)) continue
  console.error(`unknown agent "${agent}"; known: ${known.map((manifest) => manifest.agent).join(', ')}`)
  process.exit(2)
}
for (const name of values.scenario) {
  if (allChecks.some((check) => check.name === name)) continue
  console.error(`unknown scenario "${name}"; known: ${allChecks.map((check) => check.name).join(', ')}`)
  process.exit(2)
}

/** An agent's own recipe and, at the pinned versions, that of an older form of it. */
function recipesOf(agent) {
  const recipe = recipes[agent]
  return recipe.older && !values.latest ? [recipe, recipe.older] : [recipe]
}

const results = []
for (const [agent, recipe] of agents.flatMap((agent) => recipesOf(agent).map((recipe) => [agent, recipe]))) {
  const manifest = known.find((one) => one.agent === agent)
  const { npmPackage, lacks } = recipe
  const version = values.latest ? await newestVersion(npmPackage) : pins[npmPackage]
  const onProgress = (message) => console.log(message)
  const { binDir } = await installPrivately({ agent, version, recipe, onProgress })
  console.log(`${agent} ${version}`)
  const found = await runSuite({
    agent,
    version,
    capabilities: { ...manifest.capabilities, ...lacks },
    binDir,
    path: process.env.PATH,
    only: values.scenario,
    parallel: Number(values.parallel),
    onResult: ({ check, status, problem, unrecognized, durationMs }) => {
      const mark = { passed: 'ok    ', flaky: 'flaky ', failed: 'FAILED' }[status]
      console.log(`  ${mark} ${check} (${(durationMs / 1000).toFixed(1)} s)${problem ? `: ${problem}` : ''}`)
      if (unrecognized.length > 0) console.log(`         unknown native records: ${unrecognized.join(', ')}`)
    },
  })
  results.push(...found.map((result) => ({ ...result, isOlder: lacks !== undefined })))
}

console.log(`\n${renderMatrix(results)}\n`)
await mkdir(new URL('report/', here), { recursive: true })
await writeFile(new URL('report/matrix.json', here), `${JSON.stringify({ results }, null, 2)}\n`)
if (values.update) await keepMatrix(results)
const { failed, text } = summarise(results)
console.log(text)
if (values.latest && failed > 0)
  console.log('These are the newest published versions: the above is drift, to be looked at.')
// At the pinned version every record is known: a new one there means that the adapter lost something.
const unknown = results.some(({ unrecognized }) => unrecognized.length > 0)
process.exitCode = (failed > 0 || unknown) && !values.latest ? 1 : 0

/** Replaces the rows of the agents that ran, and keeps the others. */
async function keepMatrix(fresh) {
  const path = new URL('matrix.json', here)
  const old = JSON.parse(await readFile(path, 'utf8').catch(() => '[]'))
  // The tables tell what the newest form does.
  const newest = fresh.filter(({ isOlder }) => !isOlder)
  const rows = newest.map(({ agent, version, check, title, status }) => ({ agent, version, check, title, status }))
  const kept = old.filter(({ agent }) => !fresh.some((result) => result.agent === agent))
  const order = known.map(({ agent }) => agent)
  const matrix = [...kept, ...rows].sort((a, b) => order.indexOf(a.agent) - order.indexOf(b.agent))
  await writeFile(path, `[\n${matrix.map((row) => `  ${JSON.stringify(row)}`).join(',\n')}\n]\n`)
}
