import { spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Notification } from '../contract/api/change.ts'
import { redact } from '../core/redact.ts'
import type { Log } from './log.ts'
import type { DaemonSettings } from './settings.ts'

const TIMEOUT_MS = 10_000
const TRIES = 3
const PAUSE_MS = 2000

/** Passes notifications on to whoever the user has named. Nobody waits for it, and what fails is in the log. */
export class Notifier {
  readonly #settings: DaemonSettings['notify']
  readonly #env: NodeJS.ProcessEnv
  readonly #log: Log

  constructor(settings: DaemonSettings['notify'], env: NodeJS.ProcessEnv, log: Log) {
    this.#settings = settings
    this.#env = env
    this.#log = log
  }

  notify(given: Notification): void {
    const { webhook, command, on } = this.#settings
    if (!on.includes(given.kind)) return
    // It leaves the machine: what only looks like a secret goes, too.
    const notification = { ...given, title: given.title && redact(given.title), message: redact(given.message) }
    const fail = (err: unknown) => this.#log.warn({ err, kind: notification.kind }, 'could not notify')
    if (webhook !== undefined) void this.#post(webhook, notification).catch(fail)
    if (command !== undefined) void this.#run(command, notification).catch(fail)
  }

  async #post(url: string, notification: Notification): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        const response = await fetch(url, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(notification),
          signal: AbortSignal.timeout(TIMEOUT_MS),
          redirect: 'error',
        })
        if (response.ok) return
        throw new Error(`it answered ${response.status}`)
      } catch (error) {
        if (tries >= TRIES) throw error
      }
      await sleep(PAUSE_MS * tries)
    }
  }

  /** Without a shell: the text of an agent stays text. */
  #run([program = '', ...args]: readonly string[], notification: Notification): Promise<void> {
    const { kind, sessionId, agent, title, message } = notification
    const env = {
      ...this.#env,
      AMUX_NOTIFY_KIND: kind,
      AMUX_NOTIFY_SESSION: sessionId,
      AMUX_NOTIFY_AGENT: agent,
      AMUX_NOTIFY_TITLE: title ?? '',
      AMUX_NOTIFY_MESSAGE: message,
    }
    return new Promise((resolve, reject) => {
      const child = spawn(program, args, { env, stdio: 'ignore', timeout: TIMEOUT_MS, windowsHide: true })
      child.once('error', reject)
      child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`${program} exited with ${code}`))))
    })
  }
}
