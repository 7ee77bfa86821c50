import type { Diff } from '@agentclientprotocol/sdk/unstable'
import type { Effect } from '../../../contract/dialogue.ts'
import { NO_EFFECTS } from '../../../core/effects.ts'
import { asString, isRecord, type JsonRecord } from '../../../core/json.ts'
import { lineDiff } from '../../../core/line-diff.ts'
import type { Native } from './rpc.ts'
import type { Tool } from './state.ts'

const PATHS = ['path', 'file_path', 'filePath', 'absolute_path', 'abs_path']
const CONTENTS = ['content', 'file_text', 'contents', 'text']

/** The first of these members that is a text. */
export function named(input: unknown, names: readonly string[]): string | undefined {
  if (!isRecord(input)) return undefined
  return names.map((name) => asString(input[name])).find((value) => value !== undefined)
}

/** What the call did to files: the diffs where the agent shows them, else what its input says. */
export function fileEffects(tool: Tool): Effect[] {
  const diffs = tool.content.filter((part) => part.type === 'diff')
  if (diffs.length > 0) return diffs.map(diffEffect)
  const path = named(tool.input, PATHS) ?? tool.paths[0]
  if (path === undefined) return NO_EFFECTS
  switch (tool.kind) {
    case 'read':
      return [{ emit: { type: 'file_read', path } }]
    case 'delete':
      return [{ emit: { type: 'file_delete', path } }]
    case 'edit': {
      const content = named(tool.input, CONTENTS)
      if (content === undefined) return [{ emit: { type: 'file_patch', path, diff: '' } }]
      return [{ emit: { type: 'file_write', path, byteCount: Buffer.byteLength(content) } }]
    }
    default:
      return NO_EFFECTS
  }
}

function diffEffect(part: JsonRecord): Effect {
  const { path, oldText, newText }: Native<Diff> = part
  const place = asString(path) ?? ''
  const [before, after] = [asString(oldText) ?? '', asString(newText) ?? '']
  if (before === '') return { emit: { type: 'file_create', path: place, byteCount: Buffer.byteLength(after) } }
  return { emit: { type: 'file_patch', path: place, diff: lineDiff(before, after) } }
}

/** The files that a call is about, as far as it names them. */
export function pathsOf(tool: Tool): string[] {
  const inDiffs = tool.content.flatMap((part) => {
    const { path }: Native<Diff> = part
    return part.type === 'diff' ? (asString(path) ?? []) : []
  })
  const inInput = named(tool.input ?? tool.shownInput, PATHS)
  return [...tool.paths, ...inDiffs, ...(inInput === undefined ? [] : [inInput])]
}
