import { relative } from 'node:path'
import type { Session, SessionToolCall } from '../../contract/sessions.ts'
import { asRecord, asRecords, asString } from '../../core/json.ts'

export type FileChange = 'read' | 'changed' | 'created' | 'deleted'

const PATH_FIELDS = [
  ...['file_path', 'filePath', 'path', 'absolute_path', 'absolutePath', 'target_file', 'targetFile', 'notebook_path'],
  ...['filename', 'file', 'fileName', 'file_name'],
]

/** By the words in a tool's name; the first that fits. A shell is in none of them: what it did is not known. */
const CHANGES: readonly (readonly [RegExp, FileChange])[] = [
  [/delete|remove/, 'deleted'],
  [/create|^write$|write_?file|^save/, 'created'],
  [/edit|write|patch|replace|insert|update_?file|modify/, 'changed'],
  [/read|view|open_?file|^cat$/, 'read'],
]

/** Codex and others write changes as one text. */
const PATCH_LINE = /^\*\*\* (Add|Update|Delete) File: (.+)$/gm
const PATCHED: Readonly<Record<string, FileChange>> = { Add: 'created', Update: 'changed', Delete: 'deleted' }

function changesOf({ toolName, input }: SessionToolCall): [string, FileChange][] {
  const record = asRecord(input) ?? {}
  const patch = typeof input === 'string' ? input : (asString(record.patch) ?? asString(record.input) ?? '')
  const patched = [...patch.matchAll(PATCH_LINE)].map(([, verb = '', path = '']): [string, FileChange] => [
    path.trim(),
    PATCHED[verb] ?? 'changed',
  ])
  if (patched.length > 0) return patched
  const name = toolName.replace(/^mcp__.+?__/, '').toLowerCase()
  const change = CHANGES.find(([pattern]) => pattern.test(name))?.[1]
  if (change === undefined) return []
  const places = [record, ...asRecords(record.edits), ...asRecords(record.files)]
  return places.flatMap((place) => {
    const path = PATH_FIELDS.map((field) => asString(place[field])).find((value) => value)
    return path === undefined ? [] : [[path, change]]
  })
}

/** A file that was made and then changed was made; one that was deleted in the end is gone. */
function combine(before: FileChange | undefined, now: FileChange): FileChange {
  if (before === undefined || before === 'read' || now === 'deleted' || before === 'deleted') return now
  return before === 'created' ? 'created' : now === 'read' ? before : now
}

/** What the tools of a session did to files, by paths as seen from its directory; the last touched last. */
export function filesTouched({ messages, cwd }: Session): Map<string, FileChange> {
  const files = new Map<string, FileChange>()
  for (const { toolCalls = [] } of messages) {
    for (const [path, change] of toolCalls.flatMap(changesOf)) {
      const name = cwd !== undefined && path.startsWith(`${cwd}/`) ? relative(cwd, path) : path
      const combined = combine(files.get(name), change)
      files.delete(name)
      files.set(name, combined)
    }
  }
  return files
}
