import { lstatSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ENTRIES, group, KINDS } from '../../test/support/hook-entries.ts'
import type { HookInstallation, SharedHookFile } from '../contract/hooks.ts'
import { installHooks, stateOf, uninstallHooks } from './install.ts'

let root: string
let count = 0
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'amux-hooks-'))
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

function scratch(): string {
  const directory = join(root, String(count++))
  mkdirSync(directory)
  return directory
}

function setup(format: SharedHookFile['format'], text: string | null) {
  const directory = scratch()
  const path = join(directory, `settings.${format}`)
  if (text !== null) writeFileSync(path, text)
  const installation: HookInstallation = { files: [{ kind: 'shared', path, format, entries: ENTRIES[format] }] }
  const request = { owner: { agent: 'test', scope: 'user' as const }, installation, dataDir: join(directory, 'data') }
  return { path, request, read: () => readFileSync(path, 'utf8') }
}

describe.each(KINDS)('any %s file of a user', (format, files) => {
  test('is found again byte for byte, twice installed or once', async () => {
    await fc.assert(
      fc.asyncProperty(files, async ({ text }) => {
        const { request, read } = setup(format, text)
        await installHooks(request)
        const installed = read()
        expect(await stateOf(request.installation)).toBe('installed')
        await installHooks(request)
        expect(read()).toBe(installed)
        await uninstallHooks(request)
        expect(read()).toBe(text)
        expect(await stateOf(request.installation)).toBe('absent')
      }),
      { numRuns: 12 },
    )
  })
})

describe('files that are not as they should be', () => {
  test.each([
    ['json', '{"hooks": {'],
    ['json', '{"hooks": 1, "a" "b"}'],
    ['json', '[1, 2]'],
    ['toml', 'a = = 1'],
    ['yaml', 'a: [1\nb: {'],
  ] as const)('%s %s is left alone, and said', async (format, text) => {
    const { request, read } = setup(format, text)
    const own = { kind: 'own' as const, path: join(request.dataDir, 'x.js'), content: '// amux-hook' }
    request.installation.files.unshift(own)
    await expect(installHooks(request)).rejects.toMatchObject({ code: 'CONFIG_ERROR' })
    await expect(installHooks(request)).rejects.toThrow(request.installation.files[1]?.path)
    expect(read()).toBe(text)
    // Nor is anything else written.
    expect(() => lstatSync(own.path)).toThrow()
  })

  test.each([
    ['json', '{"hooks": null}'],
    ['json', '{\n  "a": 1,\n  "hooks": { "Stop": null } // mine\n}\n'],
    ['yaml', 'hooks:\na: 1\n'],
    ['yaml', 'hooks: null\na: 1\n'],
    ['yaml', 'a: 1\nhooks: ~ # mine\n'],
  ] as const)('%s %j: null is an empty place, in every format, and comes back', async (format, text) => {
    const { request, read } = setup(format, text)
    await installHooks(request)
    expect(await stateOf(request.installation)).toBe('installed')
    if (text.includes('mine')) expect(read()).toContain('mine')
    await uninstallHooks(request)
    expect(read()).toBe(text)
  })

  test('a list that is none is not replaced', async () => {
    const { request, read } = setup('json', '{"hooks": {"Stop": "mine"}}')
    await expect(installHooks(request)).rejects.toThrow('hooks.Stop')
    expect(read()).toBe('{"hooks": {"Stop": "mine"}}')
  })

  test('a missing file is made with its directories, and all of it goes again', async () => {
    const { request, path } = setup('json', null)
    const deep = join(path, '..', 'a', 'b', 'settings.json')
    request.installation.files = request.installation.files.map((file) => ({ ...file, path: deep }))
    expect(await installHooks(request)).toEqual([{ path: deep, action: 'created' }])
    await uninstallHooks(request)
    expect(() => lstatSync(join(path, '..', 'a'))).toThrow()
  })

  test('a symlink stays one, and its target is restored', async () => {
    const { request, path } = setup('json', null)
    const target = join(path, '..', 'dotfiles.json')
    writeFileSync(target, '{ "a": 1 }')
    symlinkSync('dotfiles.json', path)
    await installHooks(request)
    expect(lstatSync(path).isSymbolicLink()).toBe(true)
    expect(readFileSync(target, 'utf8')).toContain('amux-hook')
    await uninstallHooks(request)
    expect(lstatSync(path).isSymbolicLink()).toBe(true)
    expect(readFileSync(target, 'utf8')).toBe('{ "a": 1 }')
  })

  test('a file of the user in the place of ours is refused', async () => {
    const { request, path } = setup('json', '// mine')
    request.installation.files = [{ kind: 'own', path, content: '// amux-hook' }]
    await expect(installHooks(request)).rejects.toThrow('not ours')
    expect(readFileSync(path, 'utf8')).toBe('// mine')
  })

  test('a hook of the user inside a group of ours is not removed with it', async () => {
    const { request, path, read } = setup('json', '{}')
    await installHooks(request)
    const mixed = read().replace('"hooks": [', '"hooks": [{ "type": "command", "command": "mine" },')
    writeFileSync(path, mixed)
    await expect(uninstallHooks(request)).rejects.toMatchObject({ hint: expect.stringContaining('by hand') })
    expect(read()).toBe(mixed)
  })

  test('a user who puts a group beside ours keeps it', async () => {
    const { request, path, read } = setup('json', '{\n  // mine\n  "a": 1\n}\n')
    await installHooks(request)
    const data: { hooks: { Stop: unknown[] } } = JSON.parse(read().replace('// mine', ''))
    data.hooks.Stop.push({ hooks: ['mine'] })
    writeFileSync(path, JSON.stringify(data))
    await uninstallHooks(request)
    expect(JSON.parse(read())).toEqual({ a: 1, hooks: { Stop: [{ hooks: ['mine'] }] } })
  })

  describe('a default that only we have set', () => {
    const withDefault = (text: string | null) => {
      const made = setup('json', text)
      const [file] = made.request.installation.files
      if (file?.kind !== 'shared') throw new Error('shared was asked for')
      file.entries = [{ keyPath: ['version'], as: 'default', value: 1 }, ...file.entries]
      return { ...made, data: (): Record<string, unknown> => JSON.parse(made.read()) }
    }
    const write = (path: string, data: object) => writeFileSync(path, JSON.stringify(data))

    test.each([null, '{}', '{"a":1}'])('goes though the user has edited the file since: %s', async (text) => {
      const { request, path, data } = withDefault(text)
      await installHooks(request)
      write(path, { ...data(), mine: 2 })
      await uninstallHooks(request)
      expect(data()).toEqual({ ...JSON.parse(text ?? '{}'), mine: 2 })
    })

    test('goes when the user has taken our hooks out by hand, even with an install after it', async () => {
      for (const again of [false, true]) {
        const { request, path, data } = withDefault('{"a":1}')
        await installHooks(request)
        write(path, { version: 1, a: 1 })
        if (again) await installHooks(request)
        await uninstallHooks(request)
        expect(data()).toEqual({ a: 1 })
      }
    })

    test('stays in a file that we made for hooks that the user has put there: Cursor reads none without it', async () => {
      const { request, path, data } = withDefault(null)
      await installHooks(request)
      write(path, { version: 1, hooks: { Stop: [...ENTRIES.json.map(({ value }) => value), { command: 'mine' }] } })
      await uninstallHooks(request)
      expect(data()).toEqual({ version: 1, hooks: { Stop: [{ command: 'mine' }] } })
    })
  })

  test('a newer plan replaces the older one', async () => {
    const { request, path, read } = setup('json', '{ /* mine */ }')
    await installHooks(request)
    request.installation.files = [
      {
        kind: 'shared',
        path,
        format: 'json',
        entries: [{ keyPath: ['hooks', 'End'], as: 'item', value: group('End') }],
      },
    ]
    expect(await stateOf(request.installation)).toBe('outdated')
    await installHooks(request)
    expect(read()).not.toContain('SessionStart')
    expect(await stateOf(request.installation)).toBe('installed')
    await uninstallHooks(request)
    expect(read()).toBe('{ /* mine */ }')
  })

  test('a dry run reports, and touches nothing', async () => {
    const { request, path, read } = setup('json', '{}')
    expect(await installHooks({ ...request, dryRun: true })).toEqual([{ path, action: 'changed' }])
    expect(read()).toBe('{}')
    expect(() => lstatSync(request.dataDir)).toThrow()
  })

  test('killed before the file was written, the journal does no harm', async () => {
    const { request, path, read } = setup('json', '{ "a": [] }')
    await installHooks(request)
    writeFileSync(path, '{ "a": [] }')
    await uninstallHooks(request)
    expect(read()).toBe('{ "a": [] }')
  })
})
