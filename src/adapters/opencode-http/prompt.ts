import { basename, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Attachment } from '../../contract/run-options.ts'
import { mimeTypeOf } from '../../core/attachments.ts'
import type { JsonRecord } from '../../core/json.ts'
import { nativeModel } from '../families/opencode/config.ts'
import type { DialogueState } from './state.ts'

function filePart({ filePath, base64, mimeType, name }: Attachment, cwd: string): JsonRecord {
  const filename = name ?? basename(filePath ?? 'attachment')
  const mime = mimeType ?? mimeTypeOf(filename) ?? 'text/plain'
  const url = base64 === undefined ? pathToFileURL(resolve(cwd, filePath ?? '')).href : `data:${mime};base64,${base64}`
  return { type: 'file', mime, filename, url }
}

function modelParts(model: string): JsonRecord {
  const slash = model.indexOf('/')
  return { providerID: model.slice(0, slash), modelID: model.slice(slash + 1) }
}

/** One turn. Attachments belong to the first. */
export function promptBody(state: DialogueState, text: string): JsonRecord {
  const { options } = state
  const model = nativeModel(options, state.model)
  const attachments = state.isFirstTurn ? (options.attachments ?? []) : []
  const cwd = options.cwd ?? '.'
  return {
    model: model === undefined ? undefined : modelParts(model),
    variant: options.thinkingEffort,
    format: options.outputSchema ? { type: 'json_schema', schema: options.outputSchema } : undefined,
    parts: [{ type: 'text', text }, ...attachments.map((attachment) => filePart(attachment, cwd))],
  }
}
