import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { RunResult } from '../src/contract/run-handle.ts'
import type { RunOptions } from '../src/contract/run-options.ts'
import { quoteWord } from '../src/core/command-line.ts'
import { createClientIn } from '../src/mux/client.ts'
import { program } from './support/adapters.ts'
import { temporaryDirectory } from './support/client.ts'

// Agents that cannot run here, or not without an account. In the place of each stands one ACP agent that behaves as its
// documents, and the probes of the ACP registry, say of it.
interface Documented {
  agent: string
  command: string
  /** The command line that makes it speak ACP. */
  args: string
  /** What it answers to `initialize`. */
  capabilities: object
  authMethods: object[]
}

const LOAD_AND_LIST = { loadSession: true, sessionCapabilities: { list: {} } }
const ALL = { loadSession: true, sessionCapabilities: { list: {}, fork: {}, resume: {} } }
const LOGIN = [{ id: 'login', name: 'Log in' }]

const AGENTS: readonly Documented[] = [
  { agent: 'auggie', command: 'auggie', args: '--acp', capabilities: LOAD_AND_LIST, authMethods: [] },
  { agent: 'cursor', command: 'cursor-agent', args: 'acp', capabilities: LOAD_AND_LIST, authMethods: LOGIN },
  { agent: 'devin', command: 'devin', args: 'acp', capabilities: LOAD_AND_LIST, authMethods: LOGIN },
  { agent: 'goose', command: 'goose', args: 'acp', capabilities: LOAD_AND_LIST, authMethods: LOGIN },
  { agent: 'junie', command: 'junie', args: '--acp=true', capabilities: ALL, authMethods: LOGIN },
  { agent: 'kiro', command: 'kiro-cli', args: 'acp', capabilities: { loadSession: true }, authMethods: [] },
  { agent: 'qoder', command: 'qodercli', args: '--acp', capabilities: ALL, authMethods: LOGIN },
]

/** A command that speaks ACP only when it is started as documented. */
function install(home: string, { command, args, capabilities, authMethods }: Documented, needsAuth: boolean): string {
  const binDir = join(home, 'bin')
  const settings = JSON.stringify({ capabilities, authMethods, needsAuth })
  mkdirSync(binDir)
  writeFileSync(
    join(binDir, command),
    `#!/bin/sh
if [ "$*" = --version ]; then echo 99.0.0; exit 0; fi
if [ "$*" != '${args}' ]; then echo "unknown arguments: $*" >&2; exit 64; fi
exec ${[process.execPath, program('acp-agent'), settings].map(quoteWord).join(' ')}
`,
  )
  chmodSync(join(binDir, command), 0o755)
  return binDir
}

async function run(documented: Documented, options: Partial<RunOptions>, needsAuth = false): Promise<RunResult> {
  const home = temporaryDirectory()
  const binDir = install(home, documented, needsAuth)
  const env = { HOME: home, PATH: `${binDir}${delimiter}${process.env.PATH}` }
  const client = createClientIn(env, { configDir: join(home, 'config'), projectConfigDir: join(home, 'project') })
  const handle = client.run({ agent: documented.agent, prompt: 'hello', cwd: home, timeout: 30_000, ...options })
  for await (const _event of handle);
  return handle.result()
}

for (const documented of AGENTS) {
  describe(documented.agent, () => {
    test('a turn', async () => {
      const { outcome, text, sessionId } = await run(documented, {})
      expect(outcome).toEqual({ kind: 'completed' })
      expect([text, sessionId]).toEqual(['Hello you said: ', 'session-1'])
    })

    test('an approval that is denied', async () => {
      const { outcome } = await run(documented, { prompt: 'permission', onApprovalRequest: () => 'deny' })
      expect(outcome.kind).toBe('permission_blocked')
    })

    test('a session that is resumed', async () => {
      const { outcome, sessionId } = await run(documented, { sessionId: 'session-1' })
      expect([outcome.kind, sessionId]).toEqual(['completed', 'session-1'])
    })

    test('no account', async () => {
      const { outcome } = await run(documented, {}, true)
      expect(outcome.kind).toBe('auth_required')
    })
  })
}
