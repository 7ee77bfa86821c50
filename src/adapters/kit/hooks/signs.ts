import type { Sign } from '../../../contract/activity.ts'
import { asString, type JsonRecord } from '../../../core/json.ts'

/** What each hook event of an agent is a sign of; where that hangs on the payload, how. An event that is left out: none. */
export type HookSigns = Readonly<Record<string, Sign | ((payload: JsonRecord) => Sign | undefined)>>

export const BEGUN: Sign = { state: 'idle', isNewSession: true, detail: 'its session has begun' }
export const PROMPTED: Sign = { state: 'active', begins: true, closes: true, detail: 'it was given a prompt' }
export const BUSY: Sign = { state: 'active' }
export const DONE: Sign = { state: 'idle', closes: true }
export const ENDED: Sign = { state: 'exited', closes: true, detail: 'its session has ended' }

export function runsTool(name: unknown): Sign {
  return { state: 'active', detail: `it runs ${asString(name) ?? 'a tool'}` }
}

export function signOf(signs: HookSigns, event: string, payload: JsonRecord): Sign | undefined {
  const sign = Object.hasOwn(signs, event) ? signs[event] : undefined
  return typeof sign === 'function' ? sign(payload) : sign && { ...sign }
}
