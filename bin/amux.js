#!/usr/bin/env node
import { existsSync, readFileSync } from 'node:fs'

// What needs no command code comes first: `--version` is asked for often, and by scripts; a hook runs inside an agent's
// own loop.
const [first, ...rest] = process.argv.slice(2)
const root = new URL('../', import.meta.url)

if ((first === '--version' || first === '-V') && rest.length === 0) {
  const { version } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'))
  process.stdout.write(`amux ${version}\n`)
} else if (first === 'hooks' && rest.length >= 2 && !/^(-|install$|uninstall$|status$)/.test(rest[0])) {
  // Whatever is wrong here, the agent that called must not notice.
  await import('../dist/hooks/deliver.js').then(({ deliverHook }) => deliverHook(rest)).catch(() => {})
} else if (existsSync(new URL('dist/programs/cli.js', root))) {
  const { main } = await import('../dist/programs/cli.js')
  process.exitCode = await main(process.argv.slice(2))
} else {
  process.stderr.write('amux: not built yet: run `npm run build`, or use ./amux, which does so by itself\n')
  process.exitCode = 1
}
