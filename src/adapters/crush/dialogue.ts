import type { Dialogue } from '../../contract/dialogue.ts'
import type { RunOptions } from '../../contract/run-options.ts'
import { plainText } from '../kit/one-way.ts'

/** Reads the text of Crush. */
export function createDialogue(options: RunOptions): Dialogue {
  return plainText({
    options,
    displayName: 'Crush',
    guidance: 'Run `crush` once and set a provider up, or set the key of one.',
    exitWords: [
      { pattern: /^.*no providers configured.*$/im, kind: 'auth' },
      { pattern: /^.*(401|unauthorized|invalid.*api key).*$/im, kind: 'auth' },
      { pattern: /^.*(429|rate limit|too many requests).*$/im, kind: 'rate_limit' },
      { pattern: /^.*session.*not found.*$/im, kind: 'session_not_found' },
      { pattern: /^.*failed to resolve models.*$/im, kind: 'model_not_found' },
      { pattern: /^.*no prompt provided.*$/im, kind: 'invalid_request' },
    ],
  })
}
