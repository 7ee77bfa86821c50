// Proves the adapters on the real CLIs: `npm run conformance [-- agent…] [--scenario name] [--all] [--latest] [--update]`.
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { builtInAdapters } from '../dist/adapters/index.js'
import { recipes } from '../dist/adapters/recipes.js'
import { installPrivately } from '../dist/toolchain/private-install.js'
import { pinnedVersion } from '../dist/toolchain/recipes.js'
import { allChecks, checksFor, runSuites } from '../dist/verify/suite.js'
import { keepCosts, readCosts } from './costs.mjs'
import { newestVersion } from './newest-version.mjs'
import { readOpenChecks } from './open-checks.mjs'
import { leftOut, renderPlan } from './plan.mjs'
import { renderMatrix, summarise } from './report.mjs'

const USAGE = `usage: npm run conformance -- [agent…] [--scenario NAME]… [--all] [--plan] [--latest] [--update] [--parallel N]
  --scenario NAME   only this check (repeatable)
  --all             every check for every agent, also those that one agent proves for its family; implied by
                    --update, --scenario, and the names of agents
  --plan            only say which checks one agent proves for others, and why
  --latest          the newest published versions instead of the pinned ones; drift is reported, never a failure
  --parallel N      checks at a time, besides those that mostly wait; one more than there are processors
  --update          keep the rows in conformance/matrix.json, from which the tables in the docs are made and which
                    says what runs when no agent is named, and how long each took in conformance/costs.json`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    scenario: { type: 'string', multiple: true, default: [] },
    all: { type: 'boolean', default: false },
    plan: { type: 'boolean', default: false },
    latest: { type: 'boolean', default: false },
    update: { type: 'boolean', default: false },
    parallel: { type: 'string', default: String(Math.max(2, availableParallelism() + 1)) },
    help: { type: 'boolean', short: 'h', default: false },
  },
})
if (values.help) {
  console.log(USAGE)
  process.exit(0)
}

const here = new URL('.', import.meta.url)
const known = builtInAdapters.map(({ manifest }) => manifest).filter(({ agent }) => recipes[agent])
// What was proven once has to stay proven: without a name, every agent of the matrix. A new one joins it with --update.
const proven = JSON.parse(await readFile(new URL('matrix.json', here), 'utf8').catch(() => '[]'))
const agents = positionals.length > 0 ? positionals : [...new Set(proven.map(({ agent }) => agent))]
for (const agent of agents) {
  if (known.some((manifest) => manifest.agent === agent)) continue
  console.error(`unknown agent "${agent}"; known: ${known.map((manifest) => manifest.agent).join(', ')}`)
  process.exit(2)
}
if (!(Number(values.parallel) >= 1)) {
  console.error(`--parallel must be a number from 1 on, not "${values.parallel}"`)
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

const requests = []
for (const [agent, recipe] of agents.flatMap((agent) => recipesOf(agent).map((recipe) => [agent, recipe]))) {
  const manifest = known.find((one) => one.agent === agent)
  const { lacks } = recipe
  const version = values.latest ? await newestVersion(recipe) : pinnedVersion(agent, recipe)
  const capabilities = { ...manifest.capabilities, ...lacks }
  const only = values.scenario
  requests.push({ agent, version, recipe, capabilities, path: process.env.PATH, only, isOlder: lacks !== undefined })
}
if (values.plan) {
  console.log(renderPlan(requests))
  process.exit(0)
}
const notRun = []
for (const request of [...requests]) {
  const { agent, version, recipe } = request
  try {
    const installed = await installPrivately({ agent, version, recipe, onProgress: (message) => console.log(message) })
    request.binDir = installed.binDir
  } catch (error) {
    // Everything else needs only npm, without which nothing here runs.
    if ('npmPackage' in recipe) throw error
    notRun.push(`${agent} ${version}: ${error.message}`)
    requests.splice(requests.indexOf(request), 1)
  }
}
for (const why of notRun) console.log(`not run: ${why}`)

// Whoever names an agent or a check wants it to run.
const isWhole = values.all || values.update || values.scenario.length > 0 || positionals.length > 0
const out = isWhole ? [] : leftOut(requests)
for (const request of requests) {
  const own = out.filter(({ agent, version }) => agent === request.agent && version === request.version)
  request.leftOut = new Set(own.map(({ check }) => check))
}
const claimed = requests.reduce((sum, { capabilities, only }) => sum + checksFor(capabilities, only).length, 0)
const total = claimed - out.length
console.log(`${total} checks of ${requests.length} CLIs, ${values.parallel} at a time`)
if (out.length > 0) {
  const checks = [...new Set(out.map(({ check }) => check))].join(', ')
  console.log(
    `${out.length} more are proven by another agent on the same code (${checks}); --plan says which, --all runs them`,
  )
}
let done = 0
const startedAt = Date.now()
const found = await runSuites(requests, {
  parallel: Number(values.parallel),
  costOf: await readCosts(),
  onResult: ({ agent, version, check, status, problem, unrecognized, durationMs }) => {
    const mark = { passed: 'ok    ', flaky: 'flaky ', failed: 'FAILED' }[status]
    const count = `${++done}/${total}`.padStart(9)
    const time = `${(durationMs / 1000).toFixed(1)} s`
    console.log(`${count}  ${mark} ${agent} ${version} ${check} (${time})${problem ? `: ${problem}` : ''}`)
    if (unrecognized.length > 0) console.log(`           unknown native records: ${unrecognized.join(', ')}`)
  },
})
const isOlder = ({ agent, version }) =>
  requests.some((one) => one.isOlder && one.agent === agent && one.version === version)
const results = found.map((one) => ({ ...one, isOlder: isOlder(one) }))

console.log(`\n${renderMatrix(results)}\n`)
await mkdir(new URL('report/', here), { recursive: true })
await writeFile(new URL('report/matrix.json', here), `${JSON.stringify({ results }, null, 2)}\n`)
if (values.update) {
  await keepMatrix(results)
  await keepCosts(results)
}
const whyOpen = await readOpenChecks()
for (const result of results.filter((one) => one.status !== 'passed' && whyOpen(one))) {
  console.log(`open: ${result.agent} ${result.version} ${result.check} does not hold yet: ${whyOpen(result)}`)
}
// What is known not to hold yet is neither passed nor failed.
const { failed, text } = summarise(results.filter((one) => one.status === 'passed' || !whyOpen(one)))
const omitted = out.length > 0 ? `, ${out.length} left to another agent of the family` : ''
const absent = notRun.length > 0 ? `, ${notRun.length} CLIs not run` : ''
console.log(`${text}${omitted}${absent}, in ${((Date.now() - startedAt) / 60_000).toFixed(1)} min`)
if (values.latest && failed > 0)
  console.log('These are the newest published versions: the above is drift, to be looked at.')
// At the pinned version every record is known: a new one there means that the adapter lost something.
const unknown = results.some(({ unrecognized }) => unrecognized.length > 0)
process.exitCode = (failed > 0 || unknown) && !values.latest ? 1 : 0

/** Replaces the rows of what ran, and keeps the others; a whole run of an agent replaces all of its rows. */
async function keepMatrix(fresh) {
  const path = new URL('matrix.json', here)
  const old = JSON.parse(await readFile(path, 'utf8').catch(() => '[]'))
  // The tables tell what the newest form does.
  const newest = fresh.filter(({ isOlder }) => !isOlder)
  const rows = newest.map(({ agent, version, check, title, status }) => ({ agent, version, check, title, status }))
  const isPart = values.scenario.length > 0
  const ran = (row) => fresh.some(({ agent, check }) => row.agent === agent && (!isPart || row.check === check))
  const order = known.map(({ agent }) => agent)
  const checks = allChecks.map(({ name }) => name)
  const matrix = [...old.filter((row) => !ran(row)), ...rows].sort(
    (a, b) => order.indexOf(a.agent) - order.indexOf(b.agent) || checks.indexOf(a.check) - checks.indexOf(b.check),
  )
  await writeFile(path, `[\n${matrix.map((row) => `  ${JSON.stringify(row)}`).join(',\n')}\n]\n`)
}
