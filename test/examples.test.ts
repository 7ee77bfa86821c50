import { execFile } from 'node:child_process'
import { chmodSync, copyFileSync, cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { temporaryDirectory } from './support/client.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const run = promisify(execFile)

/** The package as a user has it: its types and code below `node_modules`, seen through its `exports`. */
async function consumer(): Promise<string> {
  const directory = temporaryDirectory()
  const modules = join(directory, 'node_modules')
  const home = join(modules, 'agent-mux')
  mkdirSync(join(modules, '@types'), { recursive: true })
  mkdirSync(home)
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  await run(process.execPath, [
    tsc,
    '-p',
    join(root, 'tsconfig.build.json'),
    '--noCheck',
    '--outDir',
    join(home, 'dist'),
  ])
  copyFileSync(join(root, 'package.json'), join(home, 'package.json'))
  for (const name of ['data', 'bin', 'node_modules']) symlinkSync(join(root, name), join(home, name))
  symlinkSync(join(root, 'node_modules', '@types', 'node'), join(modules, '@types', 'node'))
  symlinkSync(join(root, 'node_modules', 'undici-types'), join(modules, 'undici-types'))
  cpSync(join(root, 'examples'), directory, { recursive: true })
  writeFileSync(join(directory, 'package.json'), '{"type":"module"}')
  await run(process.execPath, [tsc, '-p', directory, '--noEmit', 'false'], { cwd: directory })
  return directory
}

test('the examples compile under strict rules, and `await using` ends what it began', {
  timeout: 240_000,
}, async () => {
  const directory = await consumer().catch((error: { stdout?: string }) => {
    throw new Error(error.stdout || String(error))
  })
  const bin = join(directory, 'bin')
  mkdirSync(bin)
  copyFileSync(join(root, 'test', 'programs', 'counting-claude.sh'), join(bin, 'claude'))
  chmodSync(join(bin, 'claude'), 0o755)
  const env = { PATH: `${bin}:${process.env.PATH}`, HOME: directory }
  const { stdout } = await run(process.execPath, ['await-using.js', 'rush 3'], { cwd: directory, env })
  expect(stdout).toMatch(/<3>[\s\S]*\ncompleted/)
})
