/** As many as the normaliser keeps open. */
const MOST_CALLS = 1000
/** Of the texts in their inputs: files that are being written are among them. */
const MOST_CHARACTERS = 16 * 1024 * 1024

/**
 * Calls of tools by their id, until they have a result. An agent that starts ever more of them and ends none would
 * fill the memory, so the oldest are forgotten: their results still come, without what is known of their inputs.
 */
export class OpenCalls<Call> extends Map<string, Call> {
  readonly #sizes = new Map<string, number>()
  #characters = 0

  override set(id: string, call: Call): this {
    this.#forgetSize(id)
    const size = charactersIn(call)
    super.set(id, call)
    this.#sizes.set(id, size)
    this.#characters += size
    for (const oldest of this.keys()) {
      if (oldest === id || (this.size <= MOST_CALLS && this.#characters <= MOST_CHARACTERS)) break
      this.delete(oldest)
    }
    return this
  }

  override delete(id: string): boolean {
    this.#forgetSize(id)
    return super.delete(id)
  }

  override clear(): void {
    this.#sizes.clear()
    this.#characters = 0
    super.clear()
  }

  #forgetSize(id: string): void {
    this.#characters -= this.#sizes.get(id) ?? 0
    this.#sizes.delete(id)
  }
}

/** Without recursion: an input may be nested deeper than the stack. */
function charactersIn(value: unknown): number {
  let sum = 0
  const rest = [value]
  for (let one = rest.pop(); one !== undefined; one = rest.pop()) {
    if (typeof one === 'string') sum += one.length
    else if (typeof one === 'object' && one !== null) for (const part of Object.values(one)) rest.push(part ?? null)
  }
  return sum
}
