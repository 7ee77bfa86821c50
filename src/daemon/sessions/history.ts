import type { Change } from '../../contract/api/change.ts'
import { withoutWithdrawn } from '../withdrawn.ts'

const MAX_CHARACTERS = 60_000
const MAX_ENTRY = 8_000

interface Entry {
  who: 'User' | 'Agent'
  text: string
}

/** What was said in a session, from our own log: messages of the user and answers of the agent. */
export function historyOf(changes: Iterable<Change>): Entry[] {
  let entries: Entry[] = []
  for (const change of changes) {
    if (change.kind === 'message') entries.push({ who: 'User', text: change.message.text })
    if (change.kind !== 'event') continue
    const { event } = change
    if (event.type === 'message_stop' && event.text !== '') entries.push({ who: 'Agent', text: event.text })
    if (event.type === 'attempt_withdrawn') {
      entries = withoutWithdrawn(entries, event.text, ({ who, text }) => (who === 'Agent' ? text : null))
    }
  }
  return entries
}

/** The history as part of a prompt: the newest in full as far as there is room, and what was left out is said. */
export function replayPrompt(entries: readonly Entry[], prompt: string): string {
  const kept: string[] = []
  let room = MAX_CHARACTERS
  for (const { who, text } of entries.toReversed()) {
    const line = `${who}: ${text.length > MAX_ENTRY ? `${text.slice(0, MAX_ENTRY)} [cut]` : text}`
    if (line.length > room) break
    room -= line.length
    kept.unshift(line)
  }
  const left = entries.length - kept.length
  const head = left === 0 ? [] : [`(${left} earlier messages are left out.)`]
  return [
    'This conversation was interrupted and its own record is lost. What was said so far:',
    ['<conversation>', ...head, ...kept, '</conversation>'].join('\n\n'),
    'Files may have been changed since: look before you rely on it. Now go on with this:',
    prompt,
  ].join('\n\n')
}
