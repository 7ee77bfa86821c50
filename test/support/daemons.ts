import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Change, DaemonClient, type Input, type ManagedSession } from '../../src/client/index.ts'
import { daemonAddress } from '../../src/daemon/address.ts'
import { liveRegistration } from '../../src/daemon/registration.ts'
import { ownVersion } from '../../src/files/own-version.ts'
import { processesWith } from '../../src/process/process-table.ts'
import { buildCli } from './built-cli.ts'
import { isAlive, sendSignal } from './processes.ts'
import { until } from './until.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** The published package, built once for a test file. */
export interface DaemonPackage {
  cli: string
  /** Directories for PATH: a `claude` that plays scenes, and one that counts. */
  scenes: string
  counting: string
  remove(): void
}

export function buildPackage(): DaemonPackage {
  const scratch = mkdtempSync(join(tmpdir(), 'agent-mux-package-'))
  const { cli, agents } = buildCli(scratch)
  const counting = join(scratch, 'counting')
  mkdirSync(counting)
  cpSync(join(ROOT, 'test/programs/counting-claude.sh'), join(counting, 'claude'))
  chmodSync(join(counting, 'claude'), 0o755)
  return { cli, scenes: agents, counting, remove: () => rmSync(scratch, { recursive: true, force: true }) }
}

/** Texts of the built package to put others in the place of, by file or folder. Each must be there. */
type Edits = Record<string, [is: string, becomes: string][]>

/** A copy of the package as another version would be: with its number, and with what else it does differently. */
export function packageOf(built: DaemonPackage, version: string, edits: Edits = {}): DaemonPackage {
  const [from, scratch] = [dirname(dirname(built.cli)), mkdtempSync(join(tmpdir(), 'agent-mux-package-'))]
  const place = join(scratch, 'package')
  cpSync(from, place, { recursive: true, verbatimSymlinks: true })
  const own = /"version": "[^"]*"/.exec(readFileSync(join(place, 'package.json'), 'utf8'))?.[0] ?? ''
  const all: Edits = { 'package.json': [[own, `"version": "${version}"`]], ...edits }
  for (const [name, changes] of Object.entries(all)) {
    const path = join(place, name)
    const files = statSync(path).isDirectory() ? readdirSync(path).map((file) => join(path, file)) : [path]
    for (const [is, becomes] of changes) {
      const file = files.find((one) => readFileSync(one, 'utf8').includes(is))
      if (file === undefined) throw new Error(`There is no "${is}" in ${name}`)
      writeFileSync(
        file,
        readFileSync(file, 'utf8').replace(is, () => becomes),
      )
    }
  }
  const remove = () => rmSync(scratch, { recursive: true, force: true })
  return { ...built, cli: join(place, 'bin', 'amux.js'), remove }
}

/**
 * A copy of the package as it is installed where some of its optional packages are not; or where they are, but for
 * another machine.
 */
export function packageWithout(built: DaemonPackage, missing: readonly string[], broken: readonly string[] = []) {
  const copy = packageOf(built, ownVersion())
  const modules = join(dirname(dirname(copy.cli)), 'node_modules')
  rmSync(modules)
  for (const name of modulesIn(join(ROOT, 'node_modules'))) {
    if (missing.includes(name) || broken.includes(name)) continue
    mkdirSync(dirname(join(modules, name)), { recursive: true })
    symlinkSync(join(ROOT, 'node_modules', name), join(modules, name))
  }
  for (const name of broken) {
    mkdirSync(join(modules, name), { recursive: true })
    writeFileSync(join(modules, name, 'package.json'), JSON.stringify({ name, main: 'index.js' }))
    writeFileSync(join(modules, name, 'index.js'), `throw new Error('invalid ELF header')`)
  }
  return copy
}

function modulesIn(directory: string): string[] {
  const names = readdirSync(directory).filter((name) => !name.startsWith('.'))
  return names.flatMap((name) =>
    name.startsWith('@') ? readdirSync(join(directory, name)).map((part) => `${name}/${part}`) : [name],
  )
}

/** One user with a home of his own, whose daemon can be started, killed and talked to. */
export class DaemonHome {
  readonly home: string
  readonly dataDir: string
  readonly work: string
  readonly client: DaemonClient
  readonly env: NodeJS.ProcessEnv
  #package: DaemonPackage
  #serving: ChildProcess | null = null

  constructor(built: DaemonPackage, agents: string, { dataDir }: { dataDir?: string } = {}) {
    this.#package = built
    this.home = realpathSync(mkdtempSync(join(tmpdir(), 'amux-home-')))
    this.dataDir = dataDir ?? join(this.home, 'data')
    this.work = join(this.home, 'work')
    mkdirSync(this.work)
    this.env = {
      PATH: `${agents}:${process.env.PATH}`,
      HOME: this.home,
      AGENT_MUX_CONFIG_DIR: this.home,
      AGENT_MUX_DATA_DIR: this.dataDir,
      // Days begin for the daemon when they begin for the test.
      ...(process.env.TZ === undefined ? {} : { TZ: process.env.TZ }),
    }
    this.client = new DaemonClient({ retries: 100, address: () => daemonAddress(this.dataDir) })
  }

  /** From now on another version is installed. */
  use(built: DaemonPackage): void {
    this.#package = built
  }

  settings(daemon: object): void {
    writeFileSync(join(this.home, 'config.json'), JSON.stringify({ daemon: { port: 1, ...daemon } }))
  }

  /** Starts a daemon and waits until it answers. */
  async serve(): Promise<void> {
    this.#serving = spawn(process.execPath, [this.#package.cli, 'serve', '--port', '0'], {
      env: this.env,
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    await this.client.call('health')
  }

  get pid(): number {
    return this.#serving?.pid ?? 0
  }

  /** kill -9. */
  async kill(): Promise<void> {
    const serving = this.#serving
    if (!serving || serving.exitCode !== null || serving.signalCode !== null) return
    const ended = once(serving, 'exit')
    serving.kill('SIGKILL')
    await ended
  }

  async stop(): Promise<void> {
    const serving = this.#serving
    if (!serving || serving.exitCode !== null || serving.signalCode !== null) return
    const ended = once(serving, 'exit')
    serving.kill('SIGTERM')
    await ended
  }

  /** Runs the CLI and gives its output. */
  async amux(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
    const child = spawn(process.execPath, [this.#package.cli, ...args], { env: this.env, cwd: this.work })
    const text = { stdout: '', stderr: '' }
    child.stdout.on('data', (chunk) => {
      text.stdout += chunk
    })
    child.stderr.on('data', (chunk) => {
      text.stderr += chunk
    })
    child.stdin.end()
    const [code] = await once(child, 'close')
    return { code: Number(code), ...text }
  }

  spawn(prompt: string, more: Partial<Input<'spawn'>> = {}): Promise<ManagedSession> {
    return this.client.call('spawn', { agent: 'claude', prompt, cwd: this.work, ...more })
  }

  /** Waits until a session is as it should be. */
  async session(
    id: string,
    what: string,
    isSo: (session: ManagedSession) => boolean,
    timeoutMs = 20_000,
  ): Promise<ManagedSession> {
    let seen: ManagedSession | undefined
    const look = async () => {
      seen = await this.client.call('getSession', { id })
      return isSo(seen) && seen
    }
    return until(what, look, timeoutMs).catch((error: unknown) => {
      throw new Error(`${error}; it is ${JSON.stringify(seen)}`)
    })
  }

  inState(id: string, state: ManagedSession['activity']['state']): Promise<ManagedSession> {
    return this.session(id, state, ({ activity }) => activity.state === state)
  }

  /** Every change of a session that is there. */
  async changes(id: string): Promise<Change[]> {
    const all: Change[] = []
    for (let after = 0; ; ) {
      const { changes } = await this.client.call('sessionEvents', { id, after, limit: 1000 })
      const last = changes.at(-1)
      if (last === undefined) return all
      all.push(...changes)
      after = last.seq
    }
  }

  runnerInfo(launchId: string): { runner: { pid: number }; agent: { pid: number } | null; socket: string } {
    return JSON.parse(readFileSync(join(this.dataDir, 'launches', launchId, 'runner.json'), 'utf8'))
  }

  /** The run's marker of a launch, by which its processes are known. */
  runIdOf(launchId: string): string {
    const log = readFileSync(join(this.dataDir, 'launches', launchId, 'native.ndjson'), 'utf8')
    return JSON.parse(log.slice(0, log.indexOf('\n'))).data.runId
  }

  /** Ends all that came of this home, and looks that nothing is left. */
  async remove(): Promise<void> {
    if ((await liveRegistration(this.dataDir)) !== null) {
      const live = await this.client.call('listSessions', { live: true, limit: 1000 })
      await Promise.all(live.map(({ id }) => this.client.call('kill', { id })))
    }
    await this.stop()
    const own = () => processesWith([[`HOME=${this.home}`]])
    await until('no process is left', () => own().length === 0).catch((error: unknown) => {
      for (const pid of own()) if (isAlive(pid)) sendSignal(pid, 'SIGKILL')
      throw error
    })
    rmSync(this.home, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** The numbers that the counting agent has said. */
export function countedIn(changes: readonly Change[]): number[] {
  return changes.flatMap((change) => {
    if (change.kind !== 'event' || change.event.type !== 'message_stop') return []
    return [Number(change.event.text.slice(1, -1))]
  })
}

export function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1)
}
