import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryDirectory } from '../../test/support/client.ts'
import { EchoAdapter } from '../../test/support/echo-adapter.ts'
import { createClientIn } from './client.ts'

const RESULT = { type: 'result', subtype: 'success', is_error: false, result: 'hi', session_id: 's', num_turns: 1 }

function clientWith(command: string, version: string, turn: string) {
  const home = temporaryDirectory()
  const script = `#!/bin/sh\ncase "$1" in *-version) echo '${version}';; *) ${turn};; esac\n`
  writeFileSync(join(home, command), script, { mode: 0o755 })
  const env = { HOME: home, PATH: `${home}:${process.env.PATH}` }
  return createClientIn(env, { configDir: home })
}

async function warnings(run: AsyncIterable<{ type: string; message?: unknown }>): Promise<string[]> {
  const messages: string[] = []
  for await (const event of run) if (event.type === 'debug') messages.push(String(event.message))
  return messages
}

test.each([
  ['1.0.3 (Claude Code)', ['Claude Code 1.0.3 is too old: 2.1.0 or newer is needed']],
  ['2.1.325 (Claude Code)', []],
  ['no version at all', []],
])('a run says when its CLI is older than needed: %s', async (version, expected) => {
  const mux = clientWith('claude', version, `read line; echo '${JSON.stringify(RESULT)}'`)
  expect(await warnings(mux.run({ agent: 'claude', prompt: 'x' }))).toEqual(expected)
})

test('a version that a registered adapter reads in a way of its own counts in a run', async () => {
  class Dated extends EchoAdapter {
    override readonly minVersion: string = '2026.1.0'
    protected override async detectVersionFromCli(): Promise<string | null> {
      return '2025.12.1'
    }
  }
  const mux = createClientIn(process.env, { configDir: temporaryDirectory() })
  mux.adapters.register(new Dated())
  const warned = await warnings(mux.run({ agent: 'echo', prompt: 'x' }))
  expect(warned).toEqual([expect.stringContaining('2025.12.1 is too old: 2026.1.0 or newer is needed')])
})
