import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { builtInAdapters } from '../src/adapters/index.ts'
import { runSuite } from '../src/verify/suite.ts'
import { temporaryDirectory } from './support/client.ts'

// The checks for agents that need an account, on a program that does as Amp does without one: it prints an address to
// sign in at, and waits.
function fakeAmp(help: string): string {
  const directory = temporaryDirectory()
  const script = `#!/bin/sh
case "$*" in
  --version) echo '1.2.3 (released)';;
  --help) cat <<'END'
${help}
END
  ;;
  *) echo 'No API key found. Starting login flow...'; exec sleep 300;;
esac
`
  writeFileSync(join(directory, 'amp'), script)
  chmodSync(join(directory, 'amp'), 0o755)
  return directory
}

async function verify(help: string) {
  const capabilities = builtInAdapters.find(({ manifest }) => manifest.agent === 'amp')?.manifest.capabilities
  if (!capabilities) throw new Error('no amp')
  const path = process.env.PATH ?? ''
  const results = await runSuite({
    agent: 'amp',
    version: '1.2.3',
    capabilities,
    binDir: fakeAmp(help),
    path,
    retry: false,
  })
  return results.map(({ check, status, problem }) => [check, status, problem])
}

const FLAGS = [
  ...['--execute', '--stream-json', '--stream-json-thinking', '--no-archive-after-execute', '--no-ide'],
  ...['--no-notifications', '--no-color', '--mode <m>', '--settings-file <f>', '--mcp-config <c>'],
]

test('an agent without an account is proven as far as it goes', { timeout: 60_000 }, async () => {
  expect(await verify(FLAGS.join('\n'))).toEqual([
    ['version', 'passed', undefined],
    ['flags', 'passed', undefined],
    ['no-account', 'passed', undefined],
  ])
})

test('a flag that its help has lost is found', { timeout: 60_000 }, async () => {
  const [, flags] = await verify(FLAGS.filter((flag) => !flag.startsWith('--mode')).join('\n'))
  expect(flags).toEqual(['flags', 'failed', 'its help does not know --mode'])
})
