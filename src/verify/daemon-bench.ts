import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type DaemonAddress, DaemonClient } from '../client/index.ts'
import type { ManagedSession } from '../contract/api/managed-session.ts'
import type { Input } from '../contract/api/schemas.ts'
import { LAUNCH_FILES } from '../contract/launch.ts'
import { daemonAddress } from '../daemon/address.ts'
import { liveRegistration } from '../daemon/registration.ts'
import { signalProcess } from '../process/signal.ts'
import { readInfo } from '../runner/launch-files.ts'
import { readHeader } from '../runner/native-log.ts'
import { until } from './check.ts'

const PROGRAM = fileURLToPath(new URL('../../bin/amux.js', import.meta.url))

export interface DaemonBenchRequest {
  home: string
  env: NodeJS.ProcessEnv
  /** What a session of the check's agent is started with by default. */
  spawn: Input<'spawn'>
}

/** A daemon of the scratch home's own, as a process that can be killed and started again. */
export class DaemonBench {
  readonly dataDir: string
  readonly client: DaemonClient
  readonly env: NodeJS.ProcessEnv
  readonly #spawn: Input<'spawn'>
  #serving: ChildProcess | null = null

  constructor({ home, env, spawn }: DaemonBenchRequest) {
    this.dataDir = join(home, '.amux-daemon')
    this.env = { ...env, AGENT_MUX_DATA_DIR: this.dataDir, AGENT_MUX_CONFIG_DIR: join(home, '.agent-mux') }
    this.client = new DaemonClient({ retries: 100, address: () => this.address() })
    this.#spawn = spawn
  }

  address(): Promise<DaemonAddress> {
    return daemonAddress(this.dataDir)
  }

  /** Resolves when it answers. */
  async serve(): Promise<void> {
    const [command = '', ...args] = this.commandLine('serve', '--port', '0')
    this.#serving = spawn(command, args, { env: this.env, stdio: 'ignore' })
    await this.client.call('health')
  }

  /** What runs `amux` with these arguments. */
  commandLine(...args: string[]): string[] {
    return [process.execPath, PROGRAM, ...args]
  }

  /** kill -9, or an end in good order. Resolves when it is gone. */
  async end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const serving = this.#serving
    if (!serving || serving.exitCode !== null || serving.signalCode !== null) return
    const ended = once(serving, 'exit')
    serving.kill(signal)
    await ended
  }

  spawn({ options, ...more }: Partial<Input<'spawn'>> = {}): Promise<ManagedSession> {
    return this.client.call('spawn', { ...this.#spawn, ...more, options: { ...this.#spawn.options, ...options } })
  }

  /** The options that are never written down, to be given again when a session is restored by another daemon. */
  get secrets(): Pick<NonNullable<Input<'spawn'>['options']>, 'env' | 'endpoint'> {
    const { env, endpoint } = this.#spawn.options ?? {}
    return { env, endpoint }
  }

  /** Waits until a session is as it should be, and fails with how it is. */
  async session(id: string, what: string, isSo: (session: ManagedSession) => boolean): Promise<ManagedSession> {
    let session = await this.client.call('getSession', { id })
    const look = async () => {
      session = await this.client.call('getSession', { id })
      return isSo(session)
    }
    await until(look, () => {
      const { activity, outcome, isLive } = session
      return `not ${what}: it is ${JSON.stringify({ isLive, activity, outcome })}`
    })
    return session
  }

  inState(id: string, state: ManagedSession['activity']['state']): Promise<ManagedSession> {
    return this.session(id, state, ({ activity }) => activity.state === state)
  }

  /** What marks the processes of a session's newest launch. */
  async runIdOf(id: string): Promise<string> {
    const header = await readHeader(join(await this.#launchDir(id), LAUNCH_FILES.native))
    return header?.runId ?? ''
  }

  /** kill -9 of the agent of a session. */
  async killAgent(id: string): Promise<void> {
    const info = await readInfo(await this.#launchDir(id))
    signalProcess(info?.agent?.pid, 'SIGKILL')
  }

  async #launchDir(id: string): Promise<string> {
    const { launch } = await this.client.call('getSession', { id })
    return join(this.dataDir, 'launches', `${id}-${launch}`)
  }

  /** Ends all sessions, and then the daemon. */
  async close(): Promise<void> {
    if (this.#serving === null) return
    if ((await liveRegistration(this.dataDir)) === null) await this.serve()
    const live = await this.client.call('listSessions', { live: true, limit: 1000 })
    await Promise.all(live.map(({ id }) => this.client.call('kill', { id })))
    await this.end('SIGTERM')
  }
}
