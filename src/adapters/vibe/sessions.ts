import { basename, dirname, join } from 'node:path'
import type { SessionFiles } from '../../contract/session-store.ts'
import type { TokenUsage } from '../../contract/usage.ts'
import { asNumber, asRecord, asString, asTime } from '../../core/json.ts'
import { grossCounts, withTotal } from '../../core/usage.ts'
import { readJson, readJsonList } from '../../files/read-json.ts'
import { readLines } from '../../files/read-lines.ts'
import { forEachRecord, sessionOf, wholeRecord } from '../kit/session.ts'
import { applyEntries, applyRecord, applyState, messagesOf, type Projection } from './session-lines.ts'

const SESSION_FILE = /^[^/]+\/CURRENT$/

function readUsage(native: unknown): TokenUsage | undefined {
  const counts = asRecord(native)
  if (!counts) return undefined
  const { inputTokens: input, outputTokens: output, cachedInputTokens: cacheRead } = counts
  return withTotal(grossCounts({ input, output, cacheRead }))
}

/** Parts of it are named in a file of the store; one that points elsewhere is not followed. */
const isName = (name: string) => /^[\w.-]+$/.test(name) && !name.startsWith('.')

async function readProjection(directory: string, generation: string): Promise<Projection> {
  const projection: Projection = { entries: new Map(), session: {} }
  if (!isName(generation)) return projection
  const snapshot = join(directory, 'generations', generation)
  const manifest = (await readJson(join(snapshot, 'manifest.json'))) ?? {}
  const { chunks } = asRecord(manifest.projection_state) ?? {}
  for (const chunk of Array.isArray(chunks) ? chunks : []) {
    const name = asString(chunk) ?? ''
    if (isName(name)) applyEntries(projection, await readJsonList(join(directory, 'chunks', `${name}.json`)))
  }
  applyState(projection, (await readJson(join(snapshot, 'projection-state.json')))?.snapshot)
  const segment = asString(asRecord(manifest.recovery_journal_segment)?.path)?.replace(/^journal\//, '') ?? ''
  if (isName(segment)) await applyJournal(projection, join(directory, 'journal', segment))
  return projection
}

/** What has happened since the snapshot. It is only written with the first record. */
async function applyJournal(projection: Projection, file: string): Promise<void> {
  const isOther = (line: string) => !line.includes('"type":"projection_delta"')
  await forEachRecord(readLines(file), (record) => applyRecord(projection, record), isOther).catch(() => undefined)
}

/**
 * `<home>/logs/session/unified/<id>/CURRENT` names the last snapshot in `generations`; its entries are in `chunks`, and
 * what came after it in `journal` (3.0.2).
 */
export const sessions: SessionFiles = {
  isSession: (relativePath) => SESSION_FILE.test(relativePath),
  async read(lines, filePath) {
    const current = await wholeRecord(lines)
    const directory = dirname(filePath)
    const projection = await readProjection(directory, asString(current.generation) ?? '')
    const meta = (await readJson(join(directory, 'meta.json'))) ?? {}
    const { session } = projection
    const model = asString(asRecord(meta.config)?.model_name)
    return sessionOf('vibe', asString(current.session_id) ?? basename(directory), {
      createdAt: asNumber(session.createdAt) ?? asTime(meta.start_time) ?? 0,
      updatedAt: asNumber(session.updatedAt) ?? asTime(meta.end_time) ?? 0,
      messages: messagesOf(projection, model),
      model,
      summary: asString(session.title) ?? asString(meta.title),
      tokenUsage: readUsage(session.tokenUsage),
      cwd: asString(asRecord(meta.environment)?.working_directory) ?? asString(meta.origin_directory),
    })
  },
}
