import { spawn } from 'node:child_process'
import { mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, posix } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { program } from './support/adapters.ts'
import { temporaryDirectory } from './support/client.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
/** Only the JavaScript: types are checked elsewhere. */
const FLAGS = ['--noCheck', '--declaration', 'false']
let build = ''

interface Output {
  code: number | null
  stdout: string
  stderr: string
  report: string
}

function node(args: string[], cwd = root): Promise<Output> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd, stdio: ['ignore', 'pipe', 'pipe', 'pipe'] })
    const output = ['', '', '', '']
    for (const [fd, stream] of child.stdio.entries()) {
      stream?.on('data', (chunk: Buffer) => {
        output[fd] += chunk.toString()
      })
    }
    child.once('error', reject)
    child.once('close', (code) => {
      resolve({ code, stdout: output[1] ?? '', stderr: output[2] ?? '', report: output[3] ?? '' })
    })
  })
}

// The library as it is shipped: built, so that what is loaded is what a user loads.
beforeAll(async () => {
  build = mkdtempSync(join(tmpdir(), 'agent-mux-build-'))
  symlinkSync(join(root, 'node_modules'), join(build, 'node_modules'))
  writeFileSync(join(build, 'package.json'), '{"type":"module"}')
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  const { code, stdout } = await node([tsc, '-p', 'tsconfig.build.json', ...FLAGS, '--outDir', join(build, 'dist')])
  expect(stdout).toBe('')
  expect(code).toBe(0)
  expect((await node(['scripts/freeze-manifests.mjs', join(build, 'dist')])).code).toBe(0)
}, 60_000)

afterAll(() => rmSync(build, { recursive: true, force: true }))

const entry = () => pathToFileURL(join(build, 'dist', 'index.js')).href

test('installs no global handlers, prints nothing, and lets the program end', async () => {
  const { code, stdout, stderr, report } = await node(
    [program('silent-user'), entry(), program('emit')],
    temporaryDirectory(),
  )
  expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: '', stderr: '' })
  const { before, during, after, text, outcome, timers } = JSON.parse(report)
  expect({ text, outcome }).toEqual({ text: 'a', outcome: { kind: 'completed' } })
  expect(during).toEqual(before)
  expect(after).toEqual(before)
  // None of ours keeps the program alive after the run.
  expect(timers).toEqual([])
})

/**
 * What `import 'agent-mux'` loads, by folder: what `createClient()` and the synchronous part of `run()` need, and no
 * more. Each module costs every user most of a millisecond. Whoever adds one here has looked whether it can be loaded
 * when it is first used.
 */
const LOADED_AT_ONCE = {
  'adapters/families/acp': 'generic',
  'adapters/kit': 'define-manifest describe-config',
  adapters: 'base index manifests',
  contract: 'errors event-guards option-table options run-defaults stream-assembler',
  core: `agent-paths attachments command-line endpoint gate-capabilities json json-schema
    not-installed output-schema pending-interaction price-lookup price-table prices retry suggest ulid usage`,
  'core/policy': 'check-policy',
  engine: 'event-hub handle interactions run-response text-stream validate-options',
  files: 'data-dir inline-images policy-file prices private-directory',
  '.': 'index',
  mux: `client defaults detect-host managers model-cache models named-agents narrowing open-usage profiles project
    project-files project-trust record-lineage registry require-directories require-price sessions trust-store validate-adapter
    worktree-of worktrees`,
  process: 'find-binary search-path',
  sessions: 'unified-id',
}

test('an import loads what it must and nothing else', async () => {
  const loader = pathToFileURL(program('loaded-modules')).href
  const hook = `import { register } from 'node:module'; register(${JSON.stringify(loader)})`
  const { code, stderr, report } = await node([
    '--import',
    `data:text/javascript,${encodeURIComponent(hook)}`,
    '--input-type=module',
    '-e',
    `import ${JSON.stringify(entry())}`,
  ])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const loaded = report.trimEnd().split('\n')
  const dist = pathToFileURL(join(realpathSync(build), 'dist', '/')).href
  const modules = loaded.filter((url) => !url.startsWith('node:')).map((url) => url.replace(dist, ''))
  const expected = Object.entries(LOADED_AT_ONCE).flatMap(([folder, names]) =>
    names.split(/\s+/).map((name) => posix.join(folder, `${name}.js`)),
  )
  expect([...new Set(modules)].sort()).toEqual(expected.sort())
})
