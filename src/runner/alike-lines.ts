/** A line that says what an earlier one says, except in a few places: which frame that is, the places, their texts. */
export interface AlikeLine {
  like: number
  at: number[]
  data: string
}

/** So many lines in a row are alike before one is shortened: the log of a short answer can be read by people. */
const LEAST_ALIKE = 128
/** A damaged line takes at most so many others with it. */
const MOST_ALIKE = 512
const MAX_PLACES = 6
/** Only pieces come by the thousand; what says something by itself stays as the agent wrote it. */
const IS_PIECE = /delta|chunk/i
const MAX_CHARACTERS = 2048
const PLACES = /("(?:[^"\\]|\\.)*")/
const BETWEEN = '\n'

interface Model {
  frame: number
  parts: string[]
}

/**
 * Shortens lines that come by the thousand and differ in a few texts, such as the pieces of a large file that is written:
 * each would cost thirty times its text. Nothing is lost: a line is made again of the one that it is like.
 */
export class AlikeLines {
  #model: Model | null = null
  #alike = 0
  #shortened = 0
  /** All places that differed so far. They are written even where they do not, since a secret may be masked in one. */
  readonly #places = new Set<number>()

  /** Null: it is to be written as it is. */
  shorten(line: string, frame: number): AlikeLine | null {
    const isPiece = line.length <= MAX_CHARACTERS && line.startsWith('{') && IS_PIECE.test(line)
    const parts = isPiece ? line.split(PLACES) : null
    const model = this.#model
    if (parts === null || model?.parts.length !== parts.length || !this.#isAlike(model.parts, parts)) {
      this.#begin(parts && { frame, parts })
      return null
    }
    this.#alike += 1
    if (this.#alike < LEAST_ALIKE || this.#shortened >= MOST_ALIKE) {
      this.#model = { frame, parts }
      this.#shortened = 0
      return null
    }
    this.#shortened += 1
    const at = [...this.#places].toSorted((left, right) => left - right)
    return { like: model.frame, at, data: at.map((place) => parts[place]).join(BETWEEN) }
  }

  #begin(model: Model | null): void {
    this.#model = model
    this.#alike = 0
    this.#shortened = 0
    this.#places.clear()
  }

  #isAlike(before: readonly string[], parts: readonly string[]): boolean {
    for (const [place, part] of parts.entries()) if (part !== before[place]) this.#places.add(place)
    return this.#places.size <= MAX_PLACES
  }
}

/** Makes shortened lines whole again. */
export class WholeLines {
  #model: Model | null = null

  /** A line that was written as it is. */
  keep(line: string, frame: number): void {
    this.#model = line.length <= MAX_CHARACTERS ? { frame, parts: line.split(PLACES) } : null
  }

  /** Null: the line that it is like is damaged. */
  restore({ like, at, data }: AlikeLine): string | null {
    const texts = data.split(BETWEEN)
    if (this.#model?.frame !== like || texts.length !== at.length) return null
    const parts = [...this.#model.parts]
    for (const [index, place] of at.entries()) parts[place] = texts[index] ?? ''
    return parts.join('')
  }
}
