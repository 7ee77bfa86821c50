import type { Sign } from '../contract/activity.ts'
import { AgentMuxError } from '../contract/errors.ts'

/** A message that comes before the first prompt was typed waits so long for it. */
const PATIENCE_MS = 30_000

export interface FirstPromptOptions {
  /** Resolves when the agent first waits for a prompt; it may ask something else before. */
  ready: Promise<void>
  type(): Promise<void>
  /** It could not be typed, and the agent still waits for one. */
  onFailure(sign: Sign): void
}

/** The first prompt of an agent that takes none when it starts. */
export class FirstPrompt {
  readonly #typed: Promise<'typed'>

  constructor({ ready, type, onFailure }: FirstPromptOptions) {
    this.#typed = ready.then(type).then(
      () => 'typed',
      (error: unknown) => {
        const why = error instanceof Error ? error.message : String(error)
        onFailure({ state: 'waiting_input', detail: `its first prompt could not be typed: ${why}` })
        return 'typed'
      },
    )
  }

  /** Anything else that is typed comes after it. */
  async settled(): Promise<void> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<'late'>((resolve) => {
      timer = setTimeout(resolve, PATIENCE_MS, 'late')
    })
    const first = await Promise.race([this.#typed, late])
    clearTimeout(timer)
    if (first !== 'late') return
    throw new AgentMuxError('TIMEOUT', 'The agent has not taken its first prompt yet', {
      recoverable: true,
      hint: 'Attach to the session and look at its screen.',
    })
  }
}
