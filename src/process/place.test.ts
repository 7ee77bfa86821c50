import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { here } from './here.ts'
import { inquire } from './inquire.ts'
import type { Place, PlaceCommand } from './place.ts'
import { spawnAgent } from './spawn-agent.ts'

const env = { PATH: process.env.PATH ?? '' }

function temporary(): string {
  const directory = mkdtempSync(join(tmpdir(), 'amux-place-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

/** A place like this machine that notes what it starts and writes. */
function observed(): { place: Place; started: PlaceCommand[]; written: string[] } {
  const [started, written]: [PlaceCommand[], string[]] = [[], []]
  const place: Place = {
    ...here,
    spawn: (command) => {
      started.push(command)
      return here.spawn(command)
    },
    pty: (request) => {
      started.push(request)
      return here.pty(request)
    },
    write: (path, content, isPrivate) => {
      written.push(path)
      return here.write(path, content, isPrivate)
    },
  }
  return { place, started, written }
}

test('an agent, its files and its terminal come from the place', async () => {
  const cwd = temporary()
  for (const usePty of [false, true]) {
    const { place, started, written } = observed()
    const files = [{ name: 'settings.json', content: '{"a":1}' }]
    const args = { command: 'cat', args: ['{file:settings.json}'], cwd, env: {}, files, usePty }
    const { child, fill, cleanUp } = await spawnAgent(place, args, env, 'run')
    expect((await text(child.stdout)).trim()).toBe('{"a":1}')
    expect(written).toEqual([fill('{file:settings.json}')])
    expect(started.map((one) => one.args)).toEqual([written])
    await cleanUp()
  }
})

test('a question to a CLI is asked in the place', async () => {
  const { place, started } = observed()
  const read = (stdout: string) => stdout.trim()
  expect(await inquire({ args: ['-c', 'pwd'], read }, { command: 'sh', env, cwd: '/' }, place)).toBe('/')
  expect(started).toMatchObject([{ command: 'sh', cwd: '/' }])
})

test('private files are readable by their user alone, others as the umask says', async () => {
  const directory = temporary()
  const umask = process.umask(0o022)
  onTestFinished(() => void process.umask(umask))
  const [secret, shared] = [join(directory, 'a', 'secret'), join(directory, 'b', 'shared')]
  await here.write(secret, 'x', true)
  await here.write(shared, 'y', false)
  expect([statSync(secret).mode & 0o777, statSync(join(directory, 'a')).mode & 0o777]).toEqual([0o600, 0o700])
  expect([statSync(shared).mode & 0o777, statSync(join(directory, 'b')).mode & 0o777]).toEqual([0o644, 0o755])
  expect([await here.read(secret), readFileSync(shared, 'utf8')]).toEqual(['x', 'y'])
})

test('a child leads a group of its own; a missing program is an error of the child', async () => {
  const child = await here.spawn({ command: 'cat', args: [], cwd: '/', env })
  expect(process.kill(-(child.pid ?? Number.NaN), 0)).toBe(true)
  child.stdin.end('read')
  expect(await text(child.stdout)).toBe('read')
  // A directory on PATH that may not be entered would make it another error.
  const missing = await here.spawn({ command: 'no-such-program', args: [], cwd: '/', env: { PATH: '/' } })
  const error = await new Promise<Error>((resolve) => missing.once('error', resolve))
  expect(error).toMatchObject({ code: 'ENOENT' })
})
