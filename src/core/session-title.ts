import { redactStart } from '../secrets/redact.ts'

/** How a hand-off goes on after the task that it begins with. */
export const HANDOFF_MARK = 'You take over a conversation that a user had with'

/** The first words of the user, on one line. A title is shown in lists and kept in the index: no secret goes into it. */
export function sessionTitle(text: string): string {
  const [said = ''] = redactStart(text, 300).split(`\n\n${HANDOFF_MARK}`)
  return said.trim().replace(/\s+/g, ' ').slice(0, 100)
}
