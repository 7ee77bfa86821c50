import type { Dialogue } from '../../contract/dialogue.ts'
import type { RunOptions } from '../../contract/run-options.ts'
import { plainText } from '../kit/one-way.ts'

/** What it says of itself before and after the answer. */
const NOISE =
  /^(Aider v\d|Main model: |Weak model: |Model: |Editor model: |Git repo: |Repo-map: |Tokens: |Cost: |Added .* to the chat|Use \/help|Warning: Input is not a terminal)/

/** Classes of errors of litellm, by which it reports that a request has failed. */
const FAILED = /litellm\.\w*(Error|Exception)|^The API provider|No LLM model was specified/

/** Reads the text of Aider. */
export function createDialogue(options: RunOptions): Dialogue {
  return plainText({
    options,
    displayName: 'Aider',
    guidance: 'Set the key of the provider, such as ANTHROPIC_API_KEY, and name a model.',
    noise: NOISE,
    errorLine: FAILED,
    exitWords: [
      { pattern: /^.*(AuthenticationError|API key).*$/m, kind: 'auth' },
      { pattern: /^aider: error: .*$/m, kind: 'invalid_request' },
    ],
  })
}
