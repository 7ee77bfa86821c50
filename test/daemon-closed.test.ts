import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { liveRegistration } from '../src/daemon/registration.ts'
import { buildPackage, countedIn, DaemonHome, type DaemonPackage, upTo } from './support/daemons.ts'
import { until } from './support/until.ts'

let built: DaemonPackage
let daemon: DaemonHome

beforeAll(() => {
  built = buildPackage()
})
afterAll(() => built.remove())
afterEach(() => daemon.remove())

/** Another user, whom only root can be. */
const STRANGER = 65_534
const isRoot = process.getuid?.() === 0
const give = (path: string) => chownSync(path, STRANGER, STRANGER)

async function served(agents = built.counting): Promise<void> {
  daemon = new DaemonHome(built, agents)
  await daemon.serve()
}

describe('what belongs to somebody else is not trusted', () => {
  /** What is made somebody else's, and how. */
  const refused: Record<string, [path: string, spoil: (path: string) => void]> = {
    'a data directory of another user': ['', give],
    'a data directory that others can write to': ['', (path) => chmodSync(path, 0o777)],
    'a token of another user': ['token', give],
    'a token that others can read': ['token', (path) => chmodSync(path, 0o644)],
    'a database of another user': ['daemon.db', give],
    'launches of another user': ['launches', give],
  }

  test('by clients or by the daemon', async () => {
    await served()
    const { id } = await daemon.spawn('count 1')
    await daemon.client.call('kill', { id })
    await daemon.stop()
    for (const [what, [name, spoil]] of Object.entries(refused)) {
      // Only root can give a file away: elsewhere those cases are left out.
      if (spoil === give && !isRoot) continue
      const path = join(daemon.dataDir, name)
      const { uid, gid, mode } = statSync(path)
      spoil(path)
      const answers = await Promise.all([daemon.amux('ls'), daemon.amux('serve', '--port', '0')])
      for (const { code, stderr } of answers) {
        expect([what, code, stderr]).toEqual([what, 7, expect.stringMatching(/belongs to user|other users/)])
      }
      expect(await liveRegistration(daemon.dataDir)).toBeNull()
      chownSync(path, uid, gid)
      chmodSync(path, mode)
    }
    expect((await daemon.amux('ls')).code).toBe(0)
    expect((await daemon.amux('stop')).code).toBe(0)
  }, 120_000)

  test('a control socket with a long path is in a new directory of ours alone, and nowhere where it was foreseen', async () => {
    const root = mkdtempSync(join(tmpdir(), 'amux-long-'))
    const shared = join(root, 'tmp')
    mkdirSync(shared)
    chmodSync(shared, 0o1777)
    // What the old name was, made first by somebody else.
    const trap = join(shared, `amux-${process.getuid?.()}`)
    mkdirSync(trap)
    if (isRoot) chownSync(trap, STRANGER, STRANGER)
    const dataDir = join(root, 'x'.repeat(120), 'data')
    daemon = new DaemonHome(built, built.counting, { dataDir })
    daemon.env.TMPDIR = shared
    try {
      await daemon.serve()
      const { id } = await daemon.spawn('count 3')
      await daemon.session(id, 'its turn', ({ usage }) => usage.turns === 1)
      const path = join(dataDir, 'launches', `${id}-1`, 'runner.json')
      const { socket } = JSON.parse(readFileSync(path, 'utf8'))
      expect(readdirSync(trap)).toEqual([])
      const stats = statSync(dirname(socket))
      expect([stats.uid, stats.mode & 0o777]).toEqual([process.getuid?.(), 0o700])
      if (isRoot) {
        const look = () =>
          execFileSync('setpriv', ['--reuid', String(STRANGER), '--clear-groups', 'ls', dirname(socket)])
        expect(look).toThrow(/Permission denied|Command failed/)
      }
      await daemon.client.call('kill', { id })
      await until('the directory is gone', () => !existsSync(dirname(socket)))
    } finally {
      await daemon.stop()
      rmSync(root, { recursive: true, force: true })
    }
  }, 60_000)

  test('a place for sockets that everybody can write to is refused with the reason, and nothing stays there', async () => {
    const root = mkdtempSync(join(tmpdir(), 'amux-long-'))
    const open = join(root, 'tmp')
    mkdirSync(open)
    chmodSync(open, 0o777)
    daemon = new DaemonHome(built, built.counting, { dataDir: join(root, 'x'.repeat(120), 'data') })
    daemon.env.TMPDIR = open
    try {
      await daemon.serve()
      const { id } = await daemon.spawn('count 1')
      const { activity } = await daemon.session(id, 'its end', ({ isLive }) => !isLive)
      expect(activity.why).toContain(`${open} is not safe for control sockets: other users can write to it (mode 0777)`)
      expect(activity.why).not.toMatch(/recoverable|Symbol/)
      expect(readdirSync(open).filter((name) => name.startsWith('amux-socket-'))).toEqual([])
    } finally {
      await daemon.stop()
      rmSync(root, { recursive: true, force: true })
    }
  }, 60_000)

  test('nor settings that another user can write', async () => {
    await served()
    const path = join(daemon.home, 'config.json')
    writeFileSync(path, '{"approvalMode":"yolo"}', { mode: 0o600 })
    const open: [string, () => void][] = [
      [
        path,
        () => {
          chmodSync(daemon.home, 0o755)
          chmodSync(path, 0o666)
        },
      ],
      [daemon.home, () => chmodSync(daemon.home, 0o777)],
    ]
    const spoiled: [string, () => void][] = [
      // What nobody else can reach, nobody else can write.
      ...(othersEnter(dirname(daemon.home)) ? open : []),
      ...(isRoot ? [[path, () => give(path)] satisfies [string, () => void]] : []),
    ]
    for (const [what, spoil] of spoiled) {
      spoil()
      const { code, stderr } = await daemon.amux('run', 'claude', 'count 1')
      expect([what, code, stderr]).toEqual([
        what,
        7,
        expect.stringMatching(/can be written by every user|belongs to user/),
      ])
      chmodSync(daemon.home, 0o700)
      rmSync(path)
      writeFileSync(path, '{}', { mode: 0o664 })
    }
    // In a private home an umask of 0 opens nothing.
    chmodSync(path, 0o666)
    expect((await daemon.amux('run', 'claude', 'count 1')).code).toBe(0)
  }, 60_000)
})

function othersEnter(path: string): boolean {
  return (statSync(path).mode & 0o001) !== 0 && (dirname(path) === path || othersEnter(dirname(path)))
}

describe('bounds', () => {
  test('a terminal that is too large is refused', async () => {
    await served()
    const size = { cols: 20_000, rows: 20_000 }
    await expect(daemon.spawn('x', { mode: 'terminal', size })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
    for (const name of ['..', '.', '-rf', 'a/b', 'a\0b', 'ü', 'x'.repeat(61), ' ', '']) {
      await expect(daemon.spawn('count 1', { name })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' })
    }
    for (const id of ['..', '../../etc', 'a\0b', 'x'.repeat(5000), '%2e%2e']) {
      await expect(daemon.client.call('getSession', { id })).rejects.toMatchObject({
        code: expect.stringMatching(/SESSION_NOT_FOUND|VALIDATION_ERROR/),
      })
    }
    expect(await daemon.client.call('listSessions')).toEqual([])
  })

  test('an agent that floods its log is ended, and says so', async () => {
    daemon = new DaemonHome(built, built.counting)
    daemon.settings({ maxLogBytes: 1_000_000 })
    await daemon.serve()
    const { id } = await daemon.spawn('rush 1000000')
    const session = await daemon.session(id, 'the end', ({ isLive }) => !isLive, 60_000)
    expect(session.outcome).toMatchObject({ kind: 'failed' })
    expect(session.activity.why).toContain('more than 1 MB')
    expect(statSync(join(daemon.dataDir, 'launches', `${id}-1`, 'native.ndjson')).size).toBeLessThan(3_000_000)
    const counted = countedIn(await daemon.changes(id))
    expect(counted, 'what was kept is told').toEqual(upTo(counted.length))
  }, 90_000)

  test('strangers that open connections and say nothing keep nobody out', async () => {
    await served()
    const { port } = (await liveRegistration(daemon.dataDir)) ?? {}
    const sockets: Socket[] = []
    for (const _ of upTo(400)) {
      const socket = connect(Number(port), '127.0.0.1')
      socket.on('error', () => {})
      socket.on('connect', () => socket.write('GET /api/v1/sessions HTTP/1.1\r\nHost: '))
      sockets.push(socket)
    }
    await until('most are cut off', () => sockets.filter((one) => one.destroyed).length >= 300)
    expect((await daemon.client.call('health')).ok).toBe(true)
    for (const socket of sockets) socket.destroy()
  })

  test('a stranger is not heard to the end of a body', async () => {
    await served()
    const { port } = (await liveRegistration(daemon.dataDir)) ?? {}
    const socket = connect(Number(port), '127.0.0.1')
    socket.on('error', () => {})
    let answer = ''
    socket.on('data', (chunk) => {
      answer += chunk
    })
    socket.write(`POST /api/v1/sessions HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Length: 9000000000\r\n\r\n`)
    await until('it is cut off', () => {
      if (!socket.destroyed) socket.write('x'.repeat(65_536))
      return socket.destroyed
    })
    expect(answer).toMatch(/^HTTP\/1.1 401 /)
  })

  test('what a run makes first is for its owner alone, whatever the umask is, and the daemon takes it', async () => {
    daemon = new DaemonHome(built, built.counting)
    const words = ['umask 0; exec "$@"', 'sh', process.execPath, built.cli, 'run', 'claude', '--json', 'count 1']
    await once(spawn('sh', ['-c', ...words], { env: daemon.env, cwd: daemon.work, stdio: 'ignore' }), 'exit')
    const made = readdirSync(daemon.home, { recursive: true, encoding: 'utf8' })
    const modeOf = (path: string) => (statSync(join(daemon.home, path)).mode & 0o777).toString(8)
    const index = made.filter((path) => /run-index/.test(path))
    expect(index).not.toEqual([])
    for (const path of [...index, ...made.filter((path) => /^(data|cache)/.test(path))]) {
      expect([path, modeOf(path)]).toEqual([path, expect.stringMatching(/^[67]00$/)])
    }
    expect(made.filter((path) => path.startsWith('work/') && /[2367]$/.test(modeOf(path)))).toEqual([])
    await daemon.serve()
    expect((await daemon.client.call('health')).ok).toBe(true)
  })
})

describe('backup', () => {
  test('a clean stop leaves everything in one file', async () => {
    await served()
    const { id } = await daemon.spawn('count 5')
    await daemon.session(id, 'its turn', ({ usage }) => usage.turns === 1)
    await daemon.client.call('kill', { id })
    await daemon.stop()
    const wal = join(daemon.dataDir, 'daemon.db-wal')
    expect(existsSync(wal) ? statSync(wal).size : 0).toBe(0)
  })

  test('made while agents work, restored later: all that it knew is back, and nothing of it starts', async () => {
    daemon = new DaemonHome(built, built.counting)
    daemon.settings({ maxLive: 2 })
    await daemon.serve()
    const done = await daemon.spawn('count 5')
    await daemon.session(done.id, 'its turn', ({ usage }) => usage.turns === 1)
    const busy = await daemon.spawn('count 3000')
    await daemon.inState(busy.id, 'active')
    const waiting = await daemon.spawn('count 7')
    const file = join(daemon.home, 'backup.db')
    const made = await daemon.amux('backup', file)
    expect([made.code, made.stderr, made.stdout]).toEqual([0, '', expect.stringContaining('3 sessions')])
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect((await daemon.amux('backup', file)).stderr).toContain('exists already')
    expect((await daemon.amux('backup', 'restore', file)).stderr).toContain('amux stop')
    const later = await daemon.spawn('count 2')
    expect((await daemon.amux('kill', '--all')).code).toBe(0)
    await daemon.stop()
    const damaged = join(daemon.home, 'damaged.db')
    const bytes = readFileSync(file)
    // One other letter in what an agent has said: no page is broken by that.
    const at = bytes.indexOf('count 3000')
    writeFileSync(damaged, bytes.fill('9', at + 6, at + 7))
    const refused = await daemon.amux('backup', 'restore', damaged)
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('checksum')])
    expect((await daemon.amux('backup', 'restore', daemon.home)).stderr).toContain('it is not a file')
    const restored = await daemon.amux('backup', 'restore', file)
    expect([restored.code, restored.stderr, restored.stdout]).toEqual([
      0,
      '',
      expect.stringContaining('before-restore'),
    ])
    await daemon.serve()
    const sessions = await daemon.client.call('listSessions')
    expect(new Set(sessions.map(({ id }) => id))).toEqual(new Set([done.id, busy.id, waiting.id]))
    expect(sessions.map(({ id }) => id)).not.toContain(later.id)
    for (const { id } of sessions) await daemon.session(id, 'exited', ({ isLive }) => !isLive)
    expect(countedIn(await daemon.changes(done.id))).toEqual(upTo(5))
    const counted = countedIn(await daemon.changes(busy.id))
    expect(counted).toEqual(upTo(counted.length))
    expect(counted.length).toBeGreaterThan(0)
    expect((await daemon.client.call('getSession', { id: busy.id })).activity.why).toContain('backup')
    expect((await daemon.client.call('getSession', { id: waiting.id })).outcome?.kind).toBe('cancelled')
    expect(await daemon.client.call('health')).toMatchObject({ live: 0, queued: 0 })
    const { id } = await daemon.spawn('count 4')
    await daemon.session(id, 'a new one works', ({ usage }) => usage.turns === 1)
  }, 120_000)
})
