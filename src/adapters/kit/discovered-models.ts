import type { DiscoveredModel, ModelCapabilities } from '../../contract/models.ts'
import type { AgentName } from '../../contract/names.ts'
import type { ThinkingEffort } from '../../contract/run-options.ts'
import { asArray } from '../../core/json.ts'
import { describeModel, UP_TO_MAX } from './define-manifest.ts'

/** Those of the levels in a CLI's list that all agents have names for. */
export function effortLevels(told: unknown): ThinkingEffort[] | undefined {
  const levels = UP_TO_MAX.filter((level) => asArray(told).includes(level))
  return levels.length > 0 ? levels : undefined
}

/** Whole models from what the CLI tells; what it leaves out is as in our own list, if the model is there. */
export function completeModels(
  agent: AgentName,
  found: readonly DiscoveredModel[],
  ours: readonly ModelCapabilities[],
  day: string,
): ModelCapabilities[] {
  return found.map((told) => {
    const known = ours.find(({ modelId }) => modelId === told.modelId)
    const facts = Object.fromEntries(Object.entries(told).filter(([, value]) => value !== undefined))
    return {
      ...describeModel(agent, { contextWindow: 0, maxOutputTokens: 0, ...known, modelId: told.modelId }),
      ...facts,
      ...{ lastUpdated: day, source: 'remote' },
    }
  })
}
