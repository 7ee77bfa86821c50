import { asRecords, isRecord } from '../../core/json.ts'
import { oneLine } from '../text.ts'

/** Fields that say most about a call, the most informative first. */
const TELLING = [
  ...['command', 'cmd', 'file_path', 'path', 'filePath', 'notebook_path', 'pattern', 'query', 'url'],
  ...['description', 'prompt', 'question', 'skill', 'name'],
]

/** A tool's input in one line: its most informative field, otherwise all of it. */
export function describeInput(input: unknown): string {
  if (!isRecord(input)) return input === undefined || input === null ? '' : oneLine(String(input))
  for (const field of TELLING) {
    const value = input[field]
    if (typeof value === 'string' && value !== '') return oneLine(value)
    if (Array.isArray(value) && value.length > 0) return oneLine(value.map(String).join(' '))
  }
  const [part] = asRecords(input.questions ?? input.changes)
  if (part) return describeInput(part)
  return Object.keys(input).length === 0 ? '' : oneLine(JSON.stringify(input))
}

/** Added and removed lines of a unified diff. */
export function countChanges(diff: string): { added: number; removed: number } {
  const lines = diff.split('\n')
  const count = (sign: string, header: string) =>
    lines.filter((line) => line.startsWith(sign) && !line.startsWith(header)).length
  return { added: count('+', '+++'), removed: count('-', '---') }
}

const KEPT_LINES = 8

/** The last lines of a command's output, and how many came before. Holds no more than it shows. */
export class OutputTail {
  readonly #lines: string[] = []
  #partial = ''
  #dropped = 0

  push(text: string): void {
    const parts = (this.#partial + text).split(/\r?\n/)
    this.#partial = (parts.pop() ?? '').slice(-10_000)
    for (const line of parts) {
      this.#lines.push(line)
      if (this.#lines.length > KEPT_LINES) {
        this.#lines.shift()
        this.#dropped += 1
      }
    }
  }

  get lines(): string[] {
    const rest = this.#partial.trim() === '' ? [] : [this.#partial]
    const shown = [...this.#lines, ...rest]
    while (shown.at(-1)?.trim() === '') shown.pop()
    return shown
  }

  get dropped(): number {
    return this.#dropped
  }
}
