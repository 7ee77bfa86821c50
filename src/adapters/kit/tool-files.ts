import type { Effect } from '../../contract/dialogue.ts'
import { editDiff, editNames } from '../../core/edit-diff.ts'
import { asString, isRecord, textOf } from '../../core/json.ts'
import { patchedFiles } from './patch-text.ts'
import type { ToolKind, ToolOutcome } from './tools.ts'

/** A field of a call's input as text. */
export function inputField(input: unknown, name: string, separator = ' '): string {
  const value = isRecord(input) ? input[name] : undefined
  return asString(value) ?? (Array.isArray(value) ? value.map(textOf).join(separator) : '')
}

/** What a call that went well did to files, read from its input where its result does not say. */
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
  const content = isRecord(input) ? inputField(input, editNames(input)?.[1] ?? '') : ''
  return { emit: { type: 'file_create', path, byteCount: Buffer.byteLength(content) } }
}

/** One path, or a list of paths or of records that have one. */
export function pathsIn(input: unknown, name: string): string[] {
  const value = isRecord(input) ? input[name] : undefined
  if (!Array.isArray(value)) return [inputField(input, name)]
  return value.map((entry) => asString(entry) ?? (isRecord(entry) ? inputField(entry, 'path') : ''))
}
