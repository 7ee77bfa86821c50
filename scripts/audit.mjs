// `npm run audit`: known faults in what we depend on. A registry that has no audit is no reason to fail, but is said.
import { spawnSync } from 'node:child_process'

const { stdout } = spawnSync('npm', ['audit', '--json'], { encoding: 'utf8', timeout: 120_000 })
const report = parse(stdout)
const counts = report?.metadata?.vulnerabilities
if (!counts) {
  console.log(
    `npm audit could not be asked (${report?.message ?? report?.error?.summary ?? 'no answer'}); going on without it.`,
  )
} else {
  console.log(
    `npm audit: ${counts.critical} critical, ${counts.high} high, ${counts.moderate} moderate, ${counts.low} low`,
  )
  for (const { name, severity, range } of Object.values(report.vulnerabilities))
    console.log(`  ${severity}  ${name} ${range}`)
  process.exitCode = counts.critical + counts.high > 0 ? 1 : 0
}

function parse(text) {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
