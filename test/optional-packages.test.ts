import { isBuiltin } from 'node:module'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { liveRegistration } from '../src/daemon/registration.ts'
import { buildPackage, DaemonHome, type DaemonPackage, packageWithout } from './support/daemons.ts'

let built: DaemonPackage
let copy: DaemonPackage
let daemon: DaemonHome

beforeAll(() => {
  built = buildPackage()
})
afterAll(() => built.remove())
afterEach(async () => {
  if ((await liveRegistration(daemon.dataDir)) !== null) {
    await daemon.amux('kill', '--all')
    await daemon.amux('stop')
  }
  await daemon.remove()
  copy.remove()
})

test.each<[what: string, missing: string[], broken: string[], said: string]>([
  ['node-pty is missing', ['@lydell/node-pty'], [], 'Terminals need the optional package @lydell/node-pty\n'],
  ['node-pty is for another machine', [], ['@lydell/node-pty'], 'cannot be loaded here: invalid ELF header'],
  ['the screen is missing', ['@xterm/headless'], [], 'Terminals need the optional package @xterm/headless\n'],
])(
  'where %s a terminal is refused before anything exists, and all else works',
  async (_, missing, broken, said) => {
    copy = packageWithout(built, missing, broken)
    daemon = new DaemonHome(copy, built.scenes)
    const refused = await daemon.amux('spawn', 'claude', '--terminal', 'say x')
    expect([refused.code === 0, refused.stdout]).toEqual([false, ''])
    expect(refused.stderr).toContain(said)
    expect(refused.stderr).toContain('npm install @lydell/node-pty @xterm/headless')
    expect(refused.stderr).not.toContain('    at ')
    expect(JSON.parse((await daemon.amux('ls', '--json')).stdout).data).toEqual([])
    const { id } = await daemon.spawn('say hello')
    expect(await daemon.inState(id, 'idle')).toMatchObject({ summary: 'You said: say hello' })
  },
  60_000,
)

test.skipIf(isBuiltin('node:sqlite'))(
  'where there is no SQLite the user is told what to install, by each command',
  async () => {
    copy = packageWithout(built, ['@photostructure/sqlite'])
    daemon = new DaemonHome(copy, built.scenes)
    for (const args of [['serve'], ['ls'], ['spawn', 'claude', 'x']]) {
      const { code, stderr } = await daemon.amux(...args)
      expect(code).not.toBe(0)
      expect(stderr).toContain('Use Node 22.13 or newer, or install @photostructure/sqlite.')
    }
  },
  60_000,
)
