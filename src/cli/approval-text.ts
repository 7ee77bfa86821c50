import type { ToolAccess } from '../contract/events.ts'
import { editDiff } from '../core/edit-diff.ts'
import { asRecords, asString, isRecord, type JsonRecord } from '../core/json.ts'
import type { Paint } from './output.ts'
import { visible } from './terminal-text.ts'
import { splitAt } from './text.ts'

/** What somebody is asked to allow. */
export interface AskedCall extends ToolAccess {
  toolName?: string | undefined
  detail: string
  input?: unknown
}

export interface ShownCall {
  lines: string[]
  /** How many are left out. */
  more: number
}

/** Of a terminal: so many leave the question in sight. */
const MOST_LINES = 20
/** A line that is longer takes several of a terminal's. */
const LINE_WIDTH = 120

const CONTENTS = ['content', 'contents', 'file_text', 'fileText', 'CodeContent', 'new_source', 'text']
const PATCHES = ['patch', 'input', 'diff', 'patchText']

/** All of it that counts, with what is hidden in it to be seen: every line of a command, the text or the diff of a write. */
export function callLines(call: AskedCall, paint: Paint): string[] {
  return rawLines(call).flatMap((line) => wrapped(visible(line)).map((part) => coloured(part, call, paint)))
}

/** The same, no higher than a screen. */
export function shownCall(call: AskedCall, paint: Paint, isWhole = false): ShownCall {
  const lines = callLines(call, paint)
  if (isWhole || lines.length <= MOST_LINES) return { lines, more: 0 }
  return { lines: lines.slice(0, MOST_LINES - 1), more: lines.length - MOST_LINES + 1 }
}

export function moreLine(more: number, how: string, paint: Paint): string {
  return paint('yellow', `… ${more} more ${more === 1 ? 'line' : 'lines'}${how === '' ? '' : ` (${how})`}`)
}

function rawLines(call: AskedCall): string[] {
  const { kind, command, detail } = call
  if (kind === 'execute' && command) {
    const reason = detail.startsWith(command) ? detail.slice(command.length).trim() : ''
    return [...linesOf(command), ...(reason === '' ? [] : linesOf(`(${reason})`))]
  }
  if (kind === 'edit') return editLines(call)
  return inputLines(call)
}

function inputLines({ input, detail }: AskedCall): string[] {
  if (input === undefined || (isRecord(input) && Object.keys(input).length === 0)) return linesOf(detail)
  return linesOf(typeof input === 'string' ? input : JSON.stringify(input, null, 2))
}

function editLines(call: AskedCall): string[] {
  const { input, paths = [], detail } = call
  const changes = isRecord(input) ? asRecords(input.changes) : []
  if (changes.length > 0) return changes.flatMap(changeLines)
  const where = paths.length > 0 ? paths : linesOf(detail)
  const text = textOfEdit(input)
  return text === null ? [...where, ...inputLines(call)] : [...where, ...linesOf(text)]
}

/** The change itself; null when the input does not have it in a known form. */
function textOfEdit(input: unknown): string | null {
  if (typeof input === 'string') return input
  if (!isRecord(input)) return null
  const diff = editDiff(input)
  if (diff !== '') return diff
  const content = named(input, CONTENTS)
  if (content !== undefined) return added(content)
  return named(input, PATCHES) ?? null
}

function changeLines(change: JsonRecord): string[] {
  const { path, diff, oldText, newText, kind } = change
  const type = isRecord(kind) ? asString(kind.type) : asString(kind)
  const moved = isRecord(kind) ? asString(kind.move_path) : undefined
  const title = [type, asString(path), moved === undefined ? undefined : `→ ${moved}`].filter(Boolean).join(' ')
  if (typeof newText === 'string' || typeof oldText === 'string') {
    const text = asString(oldText) ? editDiff({ oldText, newText }) : added(asString(newText) ?? '')
    return [title, ...linesOf(text)]
  }
  const text = asString(diff) ?? ''
  return [title, ...linesOf(type === 'add' ? added(text) : text)]
}

function named(input: JsonRecord, names: readonly string[]): string | undefined {
  return names.map((name) => asString(input[name])).find((value) => value !== undefined)
}

function added(content: string): string {
  return linesOf(content)
    .map((line) => `+${line}`)
    .join('\n')
}

function linesOf(text: string): string[] {
  const lines = text.replaceAll('\r\n', '\n').split('\n')
  while (lines.length > 0 && lines.at(-1) === '') lines.pop()
  return lines
}

function wrapped(line: string): string[] {
  const parts: string[] = []
  let rest = line.replaceAll('\t', '    ')
  while (rest.length > LINE_WIDTH) {
    const [part, after] = splitAt(rest, LINE_WIDTH)
    if (part === '') break
    parts.push(part)
    rest = after
  }
  return [...parts, rest]
}

function coloured(line: string, { kind }: AskedCall, paint: Paint): string {
  if (kind !== 'edit') return line
  return line.startsWith('+') ? paint('green', line) : line.startsWith('-') ? paint('red', line) : line
}
