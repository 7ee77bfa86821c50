import { asRecords, asString, isRecord, type JsonRecord } from './json.ts'
import { lineDiff } from './line-diff.ts'

/** How agents call the text that an edit looks for, and the one that it puts there. */
const OLD_AND_NEW = [
  ['old_string', 'new_string'],
  ['oldString', 'newString'],
  ['old_str', 'new_str'],
  ['old_text', 'new_text'],
  ['oldText', 'newText'],
] as const

/** The change that an edit asks for. Where in the file it is, only the agent knows. */
export function editDiff(input: unknown): string {
  if (!isRecord(input)) return ''
  const edits = asRecords(input.edits)
  return (edits.length > 0 ? edits : [input]).map(oneEdit).join('')
}

export function editNames(edit: JsonRecord): readonly [string, string] | undefined {
  return OLD_AND_NEW.find(([before, after]) => before in edit || after in edit)
}

function oneEdit(edit: JsonRecord): string {
  const names = editNames(edit)
  return names ? lineDiff(asString(edit[names[0]]) ?? '', asString(edit[names[1]]) ?? '') : ''
}
