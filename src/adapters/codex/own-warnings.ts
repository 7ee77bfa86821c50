import type { Effect } from '../../contract/dialogue.ts'
import { warning } from '../../core/effects.ts'

/** What Codex 0.166.0 warns of at each start because we have switched on the tool that asks the user: nobody can do anything about it. */
const OURS = /^Under-development features enabled: default_mode_request_user_input\./

/** A warning of Codex; one that we cause ourselves is only for those who look for it. */
export function codexWarning(message: string): Effect[] {
  if (!OURS.test(message)) return [warning(message)]
  return [{ emit: { type: 'debug', level: 'info', message } }]
}
