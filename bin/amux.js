#!/usr/bin/env node
import { existsSync, readFileSync } from 'node:fs'

// The two answers that need no command code come first: `--version` is asked for often, and by scripts.
const [first, ...rest] = process.argv.slice(2)
const root = new URL('../', import.meta.url)

if ((first === '--version' || first === '-V') && rest.length === 0) {
  const { version } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'))
  process.stdout.write(`amux ${version}\n`)
} else if (existsSync(new URL('dist/cli/main.js', root))) {
  const { main } = await import('../dist/cli/main.js')
  process.exitCode = await main(process.argv.slice(2))
} else {
  process.stderr.write('amux: not built yet: run `npm run build`, or use ./amux, which does so by itself\n')
  process.exitCode = 1
}
