import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const RESERVE_BYTES = 512 * 1024

/** Disk space that is released when the disk is full, so that the end of the run can still be written. */
export class Reserve {
  readonly #path: string

  constructor(launchDir: string) {
    this.#path = join(launchDir, 'reserve')
    // Not zeros: some file systems would keep none.
    writeFileSync(this.#path, Buffer.alloc(RESERVE_BYTES, 'agent-mux reserve '), { mode: 0o600 })
  }

  release(): void {
    rmSync(this.#path, { force: true })
  }
}
