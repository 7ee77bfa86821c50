import { expect, test, vi } from 'vitest'
import { bareAdapter } from '../../test/support/adapters.ts'
import { collect, testClient } from '../../test/support/client.ts'
import type { SpawnArgs } from '../contract/spawn.ts'

const SAY = 'const say = (delta) => console.log(JSON.stringify({ type: "text_delta", delta }));'

function run(script: string, more: Partial<SpawnArgs> = {}) {
  const adapter = bareAdapter('fake', { args: ['-e', `${SAY}${script}`], usePty: true, stdin: undefined, ...more })
  return collect(testClient([adapter]).run({ agent: 'fake', prompt: 'x', gracePeriodMs: 200 }))
}

test('a program that asks for a terminal gets one, and its exit code counts', async () => {
  const { result } = await run('say([process.stdin.isTTY, process.stdout.isTTY].join(" "));process.exitCode = 3')
  expect(result).toMatchObject({ text: 'true true', exitCode: 3, outcome: { kind: 'crashed' } })
})

test('its stderr is part of its output', async () => {
  const { result } = await run('console.error(JSON.stringify({ type: "text_delta", delta: "aside" }))')
  expect(result).toMatchObject({ text: 'aside', outcome: { kind: 'completed' } })
})

test.each(['typed', 'typed\n'])('it reads %j to the end of its input', async (stdin) => {
  // The terminal echoes what is typed, so the answer begins on a line of its own.
  const answer = 'console.log();say(all.trim())'
  const script = `let all = "";process.stdin.on("data", (d) => { all += d }).on("end", () => { ${answer} })`
  const { result } = await run(script, { stdin, closeStdinAfterSpawn: true })
  expect(result).toMatchObject({ text: 'typed', outcome: { kind: 'completed' } })
})

test('all that it has started is ended with it', async () => {
  const adapter = bareAdapter('fake', { args: ['-e', `${SAY}say("up");setInterval(() => {}, 1000)`], usePty: true })
  const handle = testClient([adapter]).run({ agent: 'fake', prompt: 'x', gracePeriodMs: 200 })
  handle.on('text_delta', () => void handle.abort())
  expect((await collect(handle)).result.outcome.kind).toBe('cancelled')
})

test('without the optional package the run fails with a typed error that names it', async () => {
  vi.doMock('@lydell/node-pty', () => {
    throw new Error('no such package')
  })
  const { result } = await run('say("x")')
  vi.doUnmock('@lydell/node-pty')
  expect(result.error).toMatchObject({ code: 'PTY_NOT_AVAILABLE' })
  expect(result.error?.message).toMatch(/optional package @lydell\/node-pty.*npm install @lydell\/node-pty/s)
})
