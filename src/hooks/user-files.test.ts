import { execFileSync } from 'node:child_process'
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

test.each([
  ['[', ']', 600],
  ['[', ']', 3000],
  ['{"a":', '}', 3000],
  ['[', ']', 30_000],
])('a file that is nested too deeply is refused with its name: %s%s, %d levels', async (open, close, levels) => {
  const root = mkdtempSync(join(tmpdir(), 'amux-files-'))
  roots.push(root)
  const path = join(root, 'settings.json')
  const original = `{"a":${open.repeat(levels)}1${close.repeat(levels)}}`
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

function place(path: string, format: 'json' | 'yaml' = 'json', agent = 'claude', dataDir = join(path, '../data')) {
  const entries: HookEntry[] = [
    { keyPath: ['hooks', 'Stop'], as: 'item', value: { command: join(dataDir, 'hooks', `amux-hook ${agent} Stop`) } },
  ]
  const installation: HookInstallation = { files: [{ kind: 'shared', path, format, entries }] }
  return { owner: { agent, scope: 'user' as const }, installation, dataDir }
}

function newRoot(): string {
  const root = mkdtempSync(join(tmpdir(), 'amux-files-'))
  roots.push(root)
  return root
}

test.each<[string, (path: string) => void, RegExp]>([
  ['a directory', (path) => mkdirSync(path), /settings\.json is not a regular file/],
  ['a pipe', (path) => execFileSync('mkfifo', [path]), /settings\.json is not a regular file/],
  ['a link to itself', (path) => symlinkSync(path, path), /settings\.json is a link that leads in a circle/],
  [
    'a link into nowhere',
    (path) => symlinkSync('no/such/file', path),
    /settings\.json is a link into a directory that/,
  ],
])('%s in place of settings is refused with its name, and nothing is remembered', async (_, make, reason) => {
  const root = newRoot()
  const path = join(root, 'settings.json')
  make(path)
  await expect(installHooks(place(path))).rejects.toThrow(reason)
  expect(existsSync(join(root, 'data', 'hooks', 'installed.json'))).toBe(false)
})

test('YAML that holds itself is refused as nested too deeply', async () => {
  const path = join(newRoot(), 'config.yaml')
  writeFileSync(path, 'a: &x\n  b: *x\n')
  await expect(installHooks(place(path, 'yaml'))).rejects.toThrow(/config\.yaml/)
  expect(readFileSync(path, 'utf8')).toBe('a: &x\n  b: *x\n')
})

test('keys of the user that were empty stay when there was nothing else, and a remark came later', async () => {
  const path = join(newRoot(), 'config.yaml')
  writeFileSync(path, 'hooks:\n  Stop:\n')
  await installHooks(place(path, 'yaml'))
  writeFileSync(path, `${readFileSync(path, 'utf8')}# later\n`)
  await uninstallHooks(place(path, 'yaml'))
  expect(readFileSync(path, 'utf8')).toBe('hooks:\n  Stop:\n# later\n')
})

test('a directory that two agents share goes with the last of them, in any order', async () => {
  for (const order of [0, 1]) {
    const root = newRoot()
    const [one, other] = ['one', 'other'].map((agent) =>
      place(join(root, 'config', agent, 'settings.json'), 'json', agent, join(root, 'data')),
    )
    if (!one || !other) throw new Error('two were made')
    await installHooks(one)
    await installHooks(other)
    await uninstallHooks(order === 0 ? one : other)
    expect(existsSync(join(root, 'config'))).toBe(true)
    await uninstallHooks(order === 0 ? other : one)
    expect(existsSync(join(root, 'config'))).toBe(false)
  }
})

test('a file of the user that has our name and calls a program of our name is left as it is', async () => {
  const root = mkdtempSync(join(tmpdir(), 'amux-hooks-'))
  roots.push(root)
  const path = join(root, 'amux-hook.json')
  const command = '/elsewhere/hooks/amux-hook kiro Stop'
  const content = JSON.stringify({ version: 1, hooks: { Stop: [{ command: `${root}/hooks/amux-hook kiro Stop` }] } })
  const installation: HookInstallation = { files: [{ kind: 'own', path, content }] }
  const request = { owner: { agent: 'kiro', scope: 'user' as const }, installation, dataDir: join(root, 'data') }
  for (const data of [
    { hooks: { Stop: [{ command }] }, theme: null },
    { version: 1, hooks: { Stop: [{ command }, { command: 'say done' }] } },
  ]) {
    const text = JSON.stringify(data)
    writeFileSync(path, text)
    await expect(installHooks(request)).rejects.toThrow('not ours')
    await uninstallHooks(request)
    expect(readFileSync(path, 'utf8')).toBe(text)
  }
  // Of an older version of ours, which nobody remembers.
  writeFileSync(path, JSON.stringify({ version: 1, hooks: { Start: [{ command }] } }))
  await installHooks(request)
  expect(readFileSync(path, 'utf8')).toBe(content)
})

test('a script of the user in the place of ours is left as it is, though it calls our program or quotes our comment', async () => {
  const root = mkdtempSync(join(tmpdir(), 'amux-hooks-'))
  roots.push(root)
  const path = join(root, 'PreToolUse')
  const call = `${root}/hooks/amux-hook cline PreToolUse`
  const content = `#!/bin/sh\n# amux-hook: made by agent-mux.\nexec ${call}\n`
  const installation: HookInstallation = { files: [{ kind: 'own', path, content, executable: true }] }
  const request = { owner: { agent: 'cline', scope: 'user' as const }, installation, dataDir: join(root, 'data') }
  for (const text of [
    `#!/bin/sh\n./my-check || exit 1\nexec ${call}\n`,
    `#!/bin/sh\ngrep -q '# amux-hook: made by agent-mux.' "$1" && ./my-check\n`,
    `{ "hooks": "~/hooks/amux-hook" } // mine`,
  ]) {
    writeFileSync(path, text)
    await expect(installHooks(request)).rejects.toThrow('not ours')
    expect(await uninstallHooks(request)).toEqual([])
    expect(readFileSync(path, 'utf8')).toBe(text)
  }
  // One that an older version wrote is still replaced, and goes.
  writeFileSync(path, content.replace('exec', 'exec /older'))
  expect(await installHooks(request)).toEqual([{ path, action: 'changed' }])
  await uninstallHooks(request)
  expect(existsSync(path)).toBe(false)
})
