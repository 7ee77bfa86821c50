import { subjects } from '../adapters/subjects.ts'
import type { Bench } from './check.ts'

/** What a person presses in the agent's permission dialog. Known: keys that mean one choice, wherever its cursor is. */
export function dialogKeys({ adapter, agent, cwd }: Bench): {
  approve: string
  deny: readonly string[]
  isKnown: boolean
} {
  const decide = adapter.planLaunch?.({ agent, prompt: '', cwd }).keys.decide
  if (!decide) return { approve: '\r', deny: subjects[agent]?.denyKeys ?? ['\x1b'], isKnown: false }
  return { approve: decide.approve.join(''), deny: decide.deny, isKnown: true }
}
