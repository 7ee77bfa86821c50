import type { Answer, Checked } from '../../contract/api/schemas.ts'
import { type SessionRecord, viewOf } from './record.ts'

/** Where what comes of a message is to be found in the log of changes. */
export type Sent = NonNullable<Answer<'send'>['sent']>

/** Of one that is sent now. */
export function sentNow(session: SessionRecord, when: Checked<'send'>['when'], after: number): Sent {
  const { state } = viewOf(session).activity
  // What is sent into a turn that is under way waits for its end.
  const isAtWork = state === 'active' || state === 'spawning'
  return { after, turns: isAtWork && when !== 'steer' ? 2 : 1 }
}

/** As it is remembered under the key of a request. */
export function rememberedSent({ after, turns }: Sent): string {
  return `${after} ${turns}`
}

/** Undefined for what a version has remembered that did not know it. */
export function readSent(remembered: string): Sent | undefined {
  const [, after, turns] = /^(\d+) (\d+)$/.exec(remembered) ?? []
  return after === undefined || turns === undefined ? undefined : { after: Number(after), turns: Number(turns) }
}
