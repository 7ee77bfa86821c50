import type { KeptInput } from '../../src/engine/rederive.ts'
import type { InputPosition, RunInput, RunTap } from '../../src/engine/run-input.ts'

export interface Batch {
  inputs: KeptInput[]
  nested: KeptInput[]
}

/** Keeps what a file would: text, so that nothing can be shared with the run. */
export class MemoryTap implements RunTap {
  readonly batches: string[] = []
  /** Lines to the agent. */
  written = 0
  #n = 0
  #first = 0
  #open: Batch | null = null

  inputs(inputs: readonly RunInput[], during: InputPosition | null): number {
    const time = Date.now()
    const place = during && { n: this.#first + during.index, events: during.events }
    if (!during) this.#first = this.#n + 1
    const kept = inputs.map((input) => ({ n: ++this.#n, time, input, ...(place ? { during: place } : {}) }))
    const text: KeptInput[] = JSON.parse(JSON.stringify(kept))
    if (during) this.#open?.nested.push(...text)
    else this.#open = { inputs: text, nested: [] }
    return time
  }

  settled(): void {
    this.batches.push(JSON.stringify(this.#open))
  }

  wrote(): void {
    this.written += 1
  }

  /** The first so many of them, or all. */
  kept(howMany = this.batches.length): Batch[] {
    return this.batches.slice(0, howMany).map((text) => JSON.parse(text))
  }
}
