#!/usr/bin/env node
const { existsSync, readFileSync } = require('node:fs')
const { dirname, join } = require('node:path')

// What needs no command code comes first: `--version` is asked for often, and by scripts; a hook runs inside an agent's
// own loop. This is CommonJS, because Node takes 6 ms of CPU to be ready for its first ES module.
const [first, ...rest] = process.argv.slice(2)
const root = dirname(__dirname)
const program = join(root, 'dist', 'programs', 'cli.js')

if ((first === '--version' || first === '-V') && rest.length === 0) {
  process.stdout.write(`amux ${ownVersion()}\n`)
} else if (first === 'hooks' && rest.length >= 2 && !/^(-|install$|uninstall$|status$)/.test(rest[0])) {
  // Whatever is wrong here, the agent that called must not notice.
  import('../dist/hooks/deliver.js').then(({ deliverHook }) => deliverHook(rest)).catch(() => {})
} else if (existsSync(program)) {
  // The daemon changes flags of V8, so what it compiles would not be accepted by the next one.
  if (first !== 'serve') {
    const { cacheCompiled } = require('./compiled.js')
    cacheCompiled(dirname(program), { use: first === 'run' ? 'run' : 'cli', version: ownVersion() })
  }
  require(program)
    .main(process.argv.slice(2))
    .then((code) => {
      process.exitCode = code
    })
} else {
  process.stderr.write('amux: not built yet: run `npm run build`, or use ./amux, which does so by itself\n')
  process.exitCode = 1
}

function ownVersion() {
  return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version
}
