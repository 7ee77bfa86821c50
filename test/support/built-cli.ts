import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** The real CLI, built into a directory of its own, and a fake `claude` that plays recordings (fixtures/cli/claude). */
export function buildCli(scratch: string): { cli: string; agents: string } {
  const place = join(scratch, 'package')
  const agents = join(scratch, 'agents')
  mkdirSync(place, { recursive: true })
  for (const file of ['package.json', 'bin', 'data']) cpSync(join(ROOT, file), join(place, file), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(place, 'node_modules'))
  cpSync(join(ROOT, 'test/fixtures/cli'), agents, { recursive: true })
  chmodSync(join(agents, 'claude'), 0o755)
  buildInto(join(place, 'dist'))
  expect(existsSync(join(place, 'dist/programs/cli.js')), 'the CLI was built').toBe(true)
  return { cli: join(place, 'bin', 'amux.js'), agents }
}

/** `npm test` has just built it: then it need not be done again for every file of tests. */
function isBuilt(): boolean {
  const main = join(ROOT, 'dist/programs/cli.js')
  if (!existsSync(main)) return false
  const builtAt = statSync(main).mtimeMs
  const sources = readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
  const isBuiltFrom = (file: string) => file.endsWith('.ts') && !file.endsWith('.test.ts')
  return sources.every((file) => !isBuiltFrom(file) || statSync(join(ROOT, 'src', file)).mtimeMs < builtAt)
}

export function buildInto(outDir: string): void {
  if (isBuilt()) {
    // Types are half of it, and nobody runs them.
    cpSync(join(ROOT, 'dist'), outDir, { recursive: true, filter: (path) => !path.endsWith('.d.ts') })
    return
  }
  const compiler = join(ROOT, 'node_modules/.bin/tsc')
  spawnSync(compiler, ['-p', join(ROOT, 'tsconfig.build.json'), '--outDir', outDir], { stdio: 'pipe' })
  spawnSync(process.execPath, [join(ROOT, 'scripts/bundle-programs.mjs'), outDir], { stdio: 'pipe' })
}
