import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isAlive } from '../../test/support/processes.ts'
import { recordsOf, resultOf } from '../adapters/kit/inquiry.ts'
import type { Inquiry } from '../contract/inquiry.ts'
import { inquire } from './inquire.ts'

let cwd = ''
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'amux-inquire-'))
})
afterEach(() => rmSync(cwd, { recursive: true, force: true }))

/** Asks a program written in shell. */
function ask<Answer>(script: string, rest: Omit<Inquiry<Answer>, 'args'>, timeoutMs = 20_000): Promise<Answer> {
  const env = { PATH: process.env.PATH ?? '' }
  return inquire({ args: ['-c', script], ...rest }, { command: 'sh', env, cwd, timeoutMs })
}

describe('inquire', () => {
  it('reads what a command has printed at its end', async () => {
    expect(await ask('echo one; echo two', { read: (stdout) => stdout.trim().split('\n') })).toEqual(['one', 'two'])
  })

  it('gives the reader both streams', async () => {
    const read = (stdout: string, stderr: string) => `${stdout.trim()} ${stderr.trim()}`
    expect(await ask('echo out; echo err >&2', { read })).toBe('out err')
  })

  it('ends a server, and what it has started, as soon as the answer is there', async () => {
    const started = Date.now()
    const pid = await ask(`sleep 60 & read line; echo "{\\"id\\":2,\\"result\\":{\\"pid\\":$!}}"; wait`, {
      input: '{"id":2}\n',
      read: (stdout) => resultOf(recordsOf(stdout), 2)?.pid ?? null,
    })
    expect(Date.now() - started).toBeLessThan(15_000)
    await expect.poll(() => isAlive(Number(pid)), { timeout: 5000 }).toBe(false)
  })

  it('reports what the CLI said when it fails', async () => {
    const failed = ask('echo "no such command" >&2; exit 3', { read: (stdout) => stdout })
    await expect(failed).rejects.toMatchObject({ message: /exit code 3/, hint: 'no such command' })
  })

  it('gives up in time on a CLI that never answers', async () => {
    const hanging = ask('sleep 60', { input: 'x\n', read: () => null }, 300)
    await expect(hanging).rejects.toThrow(/did not answer in time/)
  })

  it('takes a refusal for want of a login for an empty answer, and any other for a failure', async () => {
    const script = (message: string) => `read line; echo '{"id":2,"error":{"message":"${message}"}}'; sleep 60`
    const rest = { input: '{}\n', read: (stdout: string) => resultOf(recordsOf(stdout), 2) }
    expect(await ask(script('Not authenticated'), rest)).toEqual({})
    await expect(ask(script('unknown method'), rest)).rejects.toThrow(/unknown method/)
  })
})
