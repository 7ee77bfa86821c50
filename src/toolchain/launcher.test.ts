import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { entryOf, writeLauncher } from './launcher.ts'

const directory = mkdtempSync(join(tmpdir(), "amux launcher's-"))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

it('finds the script behind a command', async () => {
  const name = (text: string) => {
    const path = join(directory, text.length.toString())
    mkdirSync(path, { recursive: true })
    writeFileSync(join(path, 'package.json'), text)
    return path
  }
  expect(await entryOf(name('{"bin":"cli.js"}'), 'it')).toBe('cli.js')
  expect(await entryOf(name('{"bin":{"other":"o.js","it":"i.js"}}'), 'it')).toBe('i.js')
  await expect(entryOf(name('{}'), 'it')).rejects.toThrow('has no command')
})

it.skipIf(process.platform === 'win32')('runs the script on the runtime, in the same process', async () => {
  const entry = join(directory, 'entry.mjs')
  writeFileSync(entry, 'console.log(JSON.stringify([process.ppid, ...process.argv.slice(2)]))')
  await writeLauncher({ binDir: join(directory, 'bin'), command: 'it', executable: process.execPath, entry })
  const output = execFileSync(join(directory, 'bin', 'it'), ['a b', '--c=$d'], { encoding: 'utf8' })
  expect(JSON.parse(output)).toEqual([process.pid, 'a b', '--c=$d'])
})
