import type { AgentName } from '../contract/names.ts'
import type { SessionWarning } from '../contract/session-manager.ts'
import type { Database } from '../files/sqlite.ts'
import { redact } from '../secrets/redact.ts'
import type { RefreshProgress } from './refresh.ts'
import { spaced } from './search-terms.ts'
import type { Discovery, FoundSource, SourceText } from './sources.ts'
import { number, text } from './tables.ts'

/** A place in the index is this much text: small enough to distinguish places, large enough that they are few. */
const BLOCK_CHARS = 131_072

interface TextState {
  id: number
  stamp: string
  textStamp: string
  position: number
  textPosition: number
}

/** Puts the words of the sessions into the index, without their secrets. Only what is new is read. */
export class TextIndex {
  readonly #database: Database
  readonly #stale
  readonly #state
  readonly #clear
  readonly #addBlock
  readonly #addWords
  readonly #mark

  constructor(database: Database) {
    this.#database = database
    this.#stale = database.prepare(
      'SELECT path FROM source INDEXED BY source_unread_text WHERE agent = ? AND stamp <> text_stamp',
    )
    this.#state = database.prepare(
      'SELECT id, stamp, text_stamp, position, text_position FROM source WHERE agent = ? AND path = ?',
    )
    this.#clear = database.prepare('DELETE FROM block WHERE source = ?')
    this.#addBlock = database.prepare('INSERT INTO block (source) VALUES (?)')
    this.#addWords = database.prepare('INSERT INTO words (rowid, said) VALUES (?, ?)')
    this.#mark = database.prepare('UPDATE source SET text_stamp = ?, text_position = ? WHERE id = ?')
  }

  async fill(
    { agent, sources }: Discovery,
    onProgress?: (progress: RefreshProgress) => void,
  ): Promise<SessionWarning[]> {
    const warnings: SessionWarning[] = []
    const paths = new Set(this.#stale.all(agent).map(({ path }) => text(path)))
    const stale = sources.filter(({ path }) => paths.has(path))
    for (const [index, source] of stale.entries()) {
      const problem = await this.#read(agent, source)
      if (problem !== null) warnings.push({ agent, path: source.path, message: problem })
      onProgress?.({ agent, done: index + 1, total: stale.length })
    }
    return warnings
  }

  #stateOf(agent: AgentName, path: string): TextState | null {
    const row = this.#state.get(agent, path)
    return (
      (row && {
        id: number(row.id),
        stamp: text(row.stamp),
        textStamp: text(row.text_stamp),
        position: number(row.position),
        textPosition: number(row.text_position),
      }) ??
      null
    )
  }

  /** A long file is read in several pieces, each of which is kept at once. Gives the reason when it cannot be read. */
  async #read(agent: AgentName, source: FoundSource): Promise<string | null> {
    for (;;) {
      const state = this.#stateOf(agent, source.path)
      if (!state || state.stamp === state.textStamp) return null
      let piece: SourceText
      try {
        piece = await source.text(state.textPosition, state.position)
      } catch (error) {
        return error instanceof Error ? error.message : String(error)
      }
      const isDone = piece.position >= state.position
      this.#write(agent, source.path, state, piece, isDone)
    }
  }

  #write(agent: AgentName, path: string, before: TextState, piece: SourceText, isDone: boolean): void {
    const blocks = blocksOf(piece.words.map((one) => spaced(redact(one))))
    this.#database.transaction(() => {
      const now = this.#stateOf(agent, path)
      // Another process was faster.
      if (now?.textStamp !== before.textStamp || now.textPosition !== before.textPosition) return
      if (!piece.continues) this.#clear.run(now.id)
      for (const block of blocks) this.#addWords.run(this.#addBlock.run(now.id).lastInsertRowid, block)
      this.#mark.run(isDone ? before.stamp : now.textStamp, piece.position, now.id)
    })
  }
}

function blocksOf(words: readonly string[]): string[] {
  const blocks: string[] = []
  let block = ''
  for (const text of words) {
    for (let start = 0; start < text.length; start += BLOCK_CHARS) {
      const part = start === 0 && text.length <= BLOCK_CHARS ? text : text.slice(start, start + BLOCK_CHARS)
      if (block !== '' && block.length + part.length > BLOCK_CHARS) {
        blocks.push(block)
        block = ''
      }
      block += `${part}\n`
    }
  }
  if (block !== '') blocks.push(block)
  return blocks
}
