import { readFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { ModelCapabilities } from '../contract/models.ts'
import type { AgentName } from '../contract/names.ts'
import { asArray, asNumber, isRecord } from '../core/json.ts'

/** What a CLI reported about its models, and when. */
export interface ReportedModels {
  models: ModelCapabilities[]
  at: number
}

const KEPT_MS = 7 * 24 * 3600_000

const fileOf = (dataDir: string, agent: AgentName) => join(dataDir, 'models', `${encodeURIComponent(agent)}.json`)

/** What was reported in the last week. Null: nothing, or nothing that can be read. */
export function recallModels(dataDir: string, agent: AgentName, now: number): ReportedModels | null {
  try {
    const reported: unknown = JSON.parse(readFileSync(fileOf(dataDir, agent), 'utf8'))
    const at = isRecord(reported) ? asNumber(reported.at) : undefined
    if (!isRecord(reported) || at === undefined || now - at > KEPT_MS) return null
    return { at, models: asArray(reported.models).filter(isModel) }
  } catch {
    return null
  }
}

export async function keepModels(dataDir: string, agent: AgentName, reported: ReportedModels): Promise<void> {
  const file = fileOf(dataDir, agent)
  try {
    const { atomicWrite } = await import('../files/atomic-write.ts')
    await mkdir(dirname(file), { recursive: true, mode: 0o700 })
    await atomicWrite(file, `${JSON.stringify(reported)}\n`)
  } catch {
    // a home that cannot be written to: the CLI is asked again next time
  }
}

function isModel(value: unknown): value is ModelCapabilities {
  return (
    isRecord(value) &&
    [value.modelId, value.displayName, value.lastUpdated, value.cliArgValue].every(
      (field) => typeof field === 'string',
    ) &&
    [value.contextWindow, value.maxOutputTokens].every((field) => typeof field === 'number')
  )
}
