import type { Message, Notification } from '../contract/api/change.ts'
import type { ManagedSession } from '../contract/api/managed-session.ts'
import type { ChangeFeed } from './change-feed.ts'
import { type SessionRecord, viewOf } from './sessions/record.ts'
import type { ChangeRow, EventBody } from './store/change-log.ts'
import type { Store } from './store/store.ts'

/** What can be written within a commit. */
export interface Writer {
  events(sessionId: string, launch: number, events: readonly EventBody[]): void
  /** Saves a session, and reports it when clients would see a difference. */
  session(record: SessionRecord): void
  message(sessionId: string, message: Message): void
  notification(notification: Notification): void
  removed(sessionId: string): void
}

/**
 * The only way in which state is changed: everything of one step is written in one transaction, and reported to clients
 * when that is on disk. A step that fails changes nothing and nobody hears of it.
 */
export class Recorder {
  readonly #store: Store
  readonly #feed: ChangeFeed
  readonly #onNotification: (notification: Notification) => void
  /** Takes secrets out of what was said in a session. */
  readonly redact: (sessionId: string, text: string) => string
  /** What clients last got of a session, by its id. */
  readonly #sent = new Map<string, string>()

  constructor(
    store: Store,
    feed: ChangeFeed,
    redact: Recorder['redact'],
    onNotification: (notification: Notification) => void,
  ) {
    this.#store = store
    this.#feed = feed
    this.redact = redact
    this.#onNotification = onNotification
  }

  commit<T>(work: (writer: Writer) => T): T {
    const rows: ChangeRow[] = []
    const reported = new Map<string, string | null>()
    const notifications: Notification[] = []
    const { changes, sessions } = this.#store
    const result = this.#store.transaction(() =>
      work({
        events: (sessionId, launch, events) => {
          for (const row of changes.appendEvents(sessionId, launch, events)) rows.push(row)
        },
        session: (record) => {
          sessions.update(record)
          const session = viewOf(record)
          const essence = essenceOf(session)
          if (essence === (reported.get(record.id) ?? this.#sent.get(record.id))) return
          reported.set(record.id, essence)
          rows.push(changes.append('session', record.id, { session }))
        },
        message: (sessionId, { text, ...rest }) =>
          void rows.push(
            changes.append('message', sessionId, { message: { text: this.redact(sessionId, text), ...rest } }),
          ),
        notification: (notification) => {
          notifications.push(notification)
          rows.push(changes.append('notification', notification.sessionId, { notification }))
        },
        removed: (sessionId) => {
          reported.set(sessionId, null)
          rows.push(changes.append('removed', sessionId, {}))
        },
      }),
    )
    for (const [id, essence] of reported) {
      if (essence === null) this.#sent.delete(id)
      else this.#sent.set(id, essence)
    }
    this.#feed.publish(rows)
    for (const notification of notifications) this.#onNotification(notification)
    return result
  }
}

/** Without what changes with every event and says nothing new. */
function essenceOf({ updatedAt: _moves, activity: { at: _too, ...activity }, ...view }: ManagedSession): string {
  return JSON.stringify({ ...view, activity })
}
