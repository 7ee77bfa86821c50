import { join } from 'node:path'
import type { Fact } from '../contract/activity.ts'
import type { LaunchSpec, RunnerConnection } from '../contract/launch.ts'
import type { RunOptions } from '../contract/run-options.ts'
import { ulid } from '../core/ulid.ts'
import { CheckFailed, until } from './check.ts'

export interface TerminalRequest {
  home: string
  env: NodeJS.ProcessEnv
  options: RunOptions
}

const SIZE = { cols: 120, rows: 40 }

/** The agent's own screen on the bench, in a terminal of its own runner. */
export class TerminalBench {
  readonly runId: string
  readonly #launchDir: string
  readonly #connection: RunnerConnection

  static async open({ home, env, options }: TerminalRequest): Promise<TerminalBench> {
    const { createLaunch, connectRunner, startRunner } = await import('../runner/index.ts')
    const {
      env: agentEnv,
      endpoint,
      mcpServers,
      agent = '',
      signal,
      onApprovalRequest,
      onInputRequired,
      ...rest
    } = options
    const launchId = ulid(Date.now())
    const launchDir = join(home, '.amux-launches', launchId)
    const spec: LaunchSpec = {
      ...{ format: 1, launchId, sessionId: launchId, launch: 1, agent, createdAt: Date.now(), mode: 'terminal' },
      options: { ...rest, runId: launchId },
      terminal: SIZE,
    }
    const secrets = { env: agentEnv, endpoint, mcpServers }
    const hidden = await createLaunch(launchDir, spec, secrets, env)
    const state = await startRunner(launchDir, secrets, env, hidden)
    if (state.state === 'ended') throw new CheckFailed(`it did not start: ${state.result.error?.message}`)
    return new TerminalBench(launchId, launchDir, await connectRunner(launchDir))
  }

  private constructor(runId: string, launchDir: string, connection: RunnerConnection) {
    this.runId = runId
    this.#launchDir = launchDir
    this.#connection = connection
  }

  async screen(): Promise<string> {
    const screen = await this.#connection.request({ command: 'screen' })
    return screen && 'lines' in screen ? screen.lines.filter((line) => line.trim() !== '').join('\n') : ''
  }

  async facts(): Promise<Fact[]> {
    const { readRecords } = await import('../runner/index.ts')
    const { records } = await readRecords(this.#launchDir, 0)
    return records.flatMap((record) => ('fact' in record ? [record.fact] : []))
  }

  async send(text: string): Promise<void> {
    await this.#connection.request({ command: 'send', text })
  }

  async press(keys: string): Promise<void> {
    await this.#connection.request({ command: 'input', data: keys })
  }

  async decide(decision: 'approve' | 'deny'): Promise<void> {
    await this.#connection.request({ command: decision })
  }

  /** Fails with the screen when it does not come to this. */
  async until(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
    await until(condition, async () => `not ${what}; the screen shows:\n${await this.screen()}`)
  }

  async untilShown(text: string): Promise<void> {
    await this.until(`"${text}" on the screen`, async () => (await this.screen()).includes(text))
  }

  async close(): Promise<void> {
    await this.#connection.request({ command: 'close' }).catch(() => {}) // it has ended by itself
    await this.#connection.closed
  }
}
