import { redactStart } from './redact.ts'

/** The first words of the user, on one line. A title is shown in lists and kept in the index: no secret goes into it. */
export function sessionTitle(text: string): string {
  return redactStart(text, 300).trim().replace(/\s+/g, ' ').slice(0, 100)
}
