type BlockTerminator = (line: string, accumulated: string) => boolean

/**
 * Joins lines that belong together, for agents whose records span several lines. Line mode hands every line
 * through; block mode collects until the terminator says the block is whole. One instance per run.
 */
export class StreamAssembler {
  #lines: string[] = []
  #terminator: BlockTerminator | null = null

  get inBlock(): boolean {
    return this.#terminator !== null
  }

  get bufferedLineCount(): number {
    return this.#lines.length
  }

  /** The line in line mode; in block mode null until the block is complete, then the whole block. */
  feed(line: string): string | null {
    if (this.#terminator === null) return line
    this.#lines.push(line)
    return this.#terminator(line, this.peek()) ? this.endBlock() : null
  }

  startBlock(terminator: BlockTerminator): void {
    this.#terminator = terminator
    this.#lines = []
  }

  endBlock(): string | null {
    if (this.#terminator === null) return null
    const block = this.peek()
    this.reset()
    return block
  }

  reset(): void {
    this.#terminator = null
    this.#lines = []
  }

  peek(): string {
    return this.#lines.join('\n')
  }
}
