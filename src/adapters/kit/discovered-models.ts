import type { DiscoveredModel, ModelCapabilities } from '../../contract/models.ts'
import type { AgentName } from '../../contract/names.ts'
import type { ThinkingEffort } from '../../contract/run-options.ts'
import { asArray } from '../../core/json.ts'
import { describeModel, UP_TO_MAX } from './define-manifest.ts'

/** Those of the levels in a CLI's list that all agents have names for. */
export function effortLevels(reported: unknown): ThinkingEffort[] | undefined {
  const levels = UP_TO_MAX.filter((level) => asArray(reported).includes(level))
  return levels.length > 0 ? levels : undefined
}

/** Whole models from what the CLI reports; what it leaves out is as in our own list, if the model is there. */
export function completeModels(
  agent: AgentName,
  found: readonly DiscoveredModel[],
  ours: readonly ModelCapabilities[],
  day: string,
): ModelCapabilities[] {
  return found.map((reported) => {
    const known = ours.find(({ modelId }) => modelId === reported.modelId)
    const facts = Object.fromEntries(Object.entries(reported).filter(([, value]) => value !== undefined))
    return {
      ...describeModel(agent, { contextWindow: 0, maxOutputTokens: 0, ...known, modelId: reported.modelId }),
      ...facts,
      ...{ lastUpdated: day, source: 'remote' },
    }
  })
}
