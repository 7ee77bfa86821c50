import type { Effect } from '../contract/dialogue.ts'
import { asRecords, asString, isRecord, type JsonRecord, textOf } from './json.ts'
import { lineDiff } from './line-diff.ts'
import { patchedFiles } from './patch-text.ts'
import type { ToolKind, ToolOutcome } from './tools.ts'

/** A field of a call's input as text. */
export function inputField(input: unknown, name: string, separator = ' '): string {
  const value = isRecord(input) ? input[name] : undefined
  return asString(value) ?? (Array.isArray(value) ? value.map(textOf).join(separator) : '')
}

/** What a call that went well did to files, told from its input where its result does not say. */
export function fileEffects(tool: ToolKind, input: unknown, outcome: ToolOutcome): Effect[] {
  switch (tool.kind) {
    case 'read':
      return pathsIn(input, tool.path).map((path) => ({ emit: { type: 'file_read', path } }))
    case 'write': {
      const byteCount = Buffer.byteLength(inputField(input, tool.content))
      const type = outcome.created === true ? 'file_create' : 'file_write'
      return [{ emit: { type, path: inputField(input, tool.path), byteCount } }]
    }
    case 'patch':
      return [patched(inputField(input, tool.path), input, outcome)]
    case 'patch_text':
      return patchedFiles(asString(input) ?? inputField(input, tool.patch))
    case 'delete':
      return pathsIn(input, tool.path).map((path) => ({ emit: { type: 'file_delete', path } }))
    default:
      return []
  }
}

/** Some agents make a file by an edit of one that is not there. */
function patched(path: string, input: unknown, outcome: ToolOutcome): Effect {
  if (outcome.created !== true) return { emit: { type: 'file_patch', path, diff: outcome.diff || editDiff(input) } }
  const content = isRecord(input) ? inputField(input, namesIn(input)?.[1] ?? '') : ''
  return { emit: { type: 'file_create', path, byteCount: Buffer.byteLength(content) } }
}

/** One path, or a list of paths or of records that have one. */
function pathsIn(input: unknown, name: string): string[] {
  const value = isRecord(input) ? input[name] : undefined
  if (!Array.isArray(value)) return [inputField(input, name)]
  return value.map((entry) => asString(entry) ?? (isRecord(entry) ? inputField(entry, 'path') : ''))
}

/** How agents call the text that an edit looks for, and the one that it puts there. */
const OLD_AND_NEW = [
  ['old_string', 'new_string'],
  ['oldString', 'newString'],
  ['old_str', 'new_str'],
  ['old_text', 'new_text'],
  ['oldText', 'newText'],
] as const

/** The change that an edit asks for. Where in the file it is, only the agent knows. */
function editDiff(input: unknown): string {
  if (!isRecord(input)) return ''
  const edits = asRecords(input.edits)
  return (edits.length > 0 ? edits : [input]).map(oneEdit).join('')
}

function namesIn(edit: JsonRecord): readonly [string, string] | undefined {
  return OLD_AND_NEW.find(([before, after]) => before in edit || after in edit)
}

function oneEdit(edit: JsonRecord): string {
  const names = namesIn(edit)
  return names ? lineDiff(inputField(edit, names[0]), inputField(edit, names[1])) : ''
}
