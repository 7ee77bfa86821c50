import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import type { HookEntry, HookInstallation } from '../contract/hooks.ts'
import { installHooks, uninstallHooks } from './install.ts'

// Files as users have them, with what looks like ours and is not. RUNS and SEED make it longer, or the same again.

const RUNS = Number(process.env.RUNS) || 60
const seed = Number(process.env.SEED) || Math.floor(Math.random() * 2 ** 31)
let state = seed
const random = (below: number) => {
  state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff
  return Math.floor((state / 0x80000000) * below)
}
const one = <T>(...options: T[]): T => options[random(options.length)] as T

const roots: string[] = []
afterEach(() => {
  for (const root of roots.splice(0)) rmSync(root, { recursive: true, force: true })
})

const LOOKALIKES = [
  'echo amux-hook',
  '/opt/my-amux-hook-wrapper x',
  'amux-hook',
  '/elsewhere/hooks/amux-hook claude Stop',
  'see amux-hook docs',
]

function jsonFile(): string {
  const hooks = one(
    undefined,
    {},
    { Stop: [] },
    { Stop: [{ hooks: [{ type: 'command', command: one(...LOOKALIKES) }] }] },
    { Stop: [{ hooks: [{ type: 'command', command: 'say done' }] }], Other: [{ note: one(...LOOKALIKES) }] },
  )
  const data = {
    theme: 'dark',
    ...(hooks && { hooks }),
    ...one({}, { 'amux-hook-notes': { a: 1 } }, { 'my amux-hook': [1] }),
    n: 1,
  }
  const text = JSON.stringify(data, null, one<number | string | undefined>(undefined, 2, '\t'))
  const commented = one(text, `// amux-hook: mine\n${text}`, text.replace('"n"', '/* amux-hook */ "n"'))
  return dressed(commented + one('', '\n'))
}

function yamlFile(): string {
  return dressed(
    one(
      '',
      'theme: dark\n',
      'hooks:\nother: 1\n',
      'hooks:\n  Stop:\n    - command: echo amux-hook\n',
      '# amux-hook\ntheme: dark\nhooks:\n  Other:\n    - command: /elsewhere/hooks/amux-hook claude Stop\n',
    ),
  )
}

function tomlFile(): string {
  return dressed(
    one(
      '',
      'theme = "dark"\n',
      '# amux-hook\n[[hooks]]\ncommand = "echo amux-hook"\nevent = "x"\n',
      '[amux-hook-notes]\na = 1\n',
    ),
  )
}

function dressed(text: string): string {
  return one('', '', '\ufeff') + (one(true, false, false) ? text.replaceAll('\n', '\r\n') : text)
}

function entriesFor(format: 'json' | 'yaml' | 'toml', program: string): HookEntry[] {
  const command = `${program} claude Stop`
  if (format === 'toml') return [{ keyPath: ['hooks'], as: 'item', value: { event: 'Stop', command } }]
  const value = format === 'yaml' ? { command } : { hooks: [{ type: 'command', command }] }
  const item: HookEntry = { keyPath: ['hooks', 'Stop'], as: 'item', value }
  return format === 'json' && one(true, false) ? [{ keyPath: ['version'], as: 'default', value: 1 }, item] : [item]
}

test('install and uninstall give the bytes back, keep what the user did in between, or refuse and touch nothing', async () => {
  for (let run = 0; run < RUNS; run++) {
    const root = mkdtempSync(join(tmpdir(), 'amux-files-'))
    roots.push(root)
    const format = one('json', 'json', 'yaml', 'toml')
    const dataDir = join(root, 'data')
    mkdirSync(dataDir)
    const real = join(root, 'real')
    const path = join(root, 'settings')
    const original = format === 'json' ? jsonFile() : format === 'yaml' ? yamlFile() : tomlFile()
    writeFileSync(real, original)
    chmodSync(real, one(0o600, 0o644, 0o640))
    const { mode } = statSync(real)
    const kind = one('symbolic', 'hard')
    if (kind === 'symbolic') symlinkSync(real, path)
    else linkSync(real, path)
    const entries = entriesFor(format, join(dataDir, 'hooks', 'amux-hook'))
    const installation: HookInstallation = { files: [{ kind: 'shared', path, format, entries }] }
    const request = { owner: { agent: 'claude', scope: 'user' as const }, installation, dataDir }
    const what = `seed ${seed}, run ${run}: ${JSON.stringify({ format, original, entries })}`
    try {
      await installHooks(request)
    } catch (error) {
      expect(String(error), what).toMatch(/settings/)
      expect(readFileSync(real, 'utf8'), what).toBe(original)
      continue
    }
    const installed = readFileSync(real, 'utf8')
    expect(installed, what).not.toBe(original)
    expect(readFileSync(path, 'utf8'), what).toBe(installed)
    const edit = one('', '', format === 'json' ? '\n// a later remark\n' : '\n# a later remark\n')
    if (edit !== '') writeFileSync(real, installed + edit)
    await uninstallHooks(request)
    expect(readFileSync(real, 'utf8'), what).toBe(original + edit)
    expect(statSync(real).mode, what).toBe(mode)
    expect(statSync(path).ino, what).toBe(statSync(real).ino)
  }
})

test('a file that is nested too deeply is refused with its name', async () => {
  const root = mkdtempSync(join(tmpdir(), 'amux-files-'))
  roots.push(root)
  const path = join(root, 'settings.json')
  const original = `{"a":${'['.repeat(30_000)}${']'.repeat(30_000)}}`
  writeFileSync(path, original)
  const files = [
    { kind: 'shared' as const, path, format: 'json' as const, entries: entriesFor('json', '/d/hooks/amux-hook') },
  ]
  const request = {
    owner: { agent: 'claude', scope: 'user' as const },
    installation: { files },
    dataDir: join(root, 'data'),
  }
  await expect(installHooks(request)).rejects.toThrow(/settings\.json is nested too deeply/)
  expect(readFileSync(path, 'utf8')).toBe(original)
  expect(existsSync(join(root, 'data', 'hooks', 'installed.json'))).toBe(false)
})
