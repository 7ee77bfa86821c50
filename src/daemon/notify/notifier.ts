import type { Notification } from '../../contract/api/change.ts'
import { redact } from '../../secrets/redact.ts'
import type { Log } from '../log.ts'
import type { DaemonSettings } from '../settings.ts'
import { Bounded } from './bounded.ts'
import { runProgram } from './program.ts'
import { post } from './webhook.ts'

const AT_ONCE = 4
const MAX_WAITING = 200

/** Passes notifications on to the receivers that the user has named. Nobody waits for it, and failures are in the log. */
export class Notifier {
  readonly #settings: DaemonSettings['notify']
  readonly #env: NodeJS.ProcessEnv
  readonly #log: Log
  readonly #posts = new Bounded(AT_ONCE, MAX_WAITING)
  readonly #programs = new Bounded(AT_ONCE, MAX_WAITING)

  constructor(settings: DaemonSettings['notify'], env: NodeJS.ProcessEnv, log: Log) {
    this.#settings = settings
    this.#env = env
    this.#log = log
  }

  notify(given: Notification): void {
    const { webhook: url, webhookSecret: secret, command, on } = this.#settings
    if (!on.includes(given.kind)) return
    // It leaves the machine: what only looks like a secret goes, too.
    const notification = { ...given, title: given.title && redact(given.title), message: redact(given.message) }
    const fail = (err: unknown) => this.#log.warn({ err, kind: notification.kind }, 'could not notify')
    const deliver = (through: Bounded, task: () => Promise<void>) => {
      if (!through.add(() => task().catch(fail))) fail(new Error(`${MAX_WAITING} others wait already`))
    }
    if (url !== undefined) deliver(this.#posts, () => post({ url, secret }, JSON.stringify(notification)))
    if (command !== undefined) deliver(this.#programs, () => runProgram(command, notification, this.#env))
  }
}
