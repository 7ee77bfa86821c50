import type { AgentCapabilities, Unreported } from '../contract/capabilities.ts'
import { CapabilityError } from '../contract/errors.ts'
import type { ModelCapabilities } from '../contract/models.ts'
import type { RunOptions, SamplingOption } from '../contract/run-options.ts'
import { isImage } from './attachments.ts'
import { protocolOf } from './endpoint.ts'

const SAMPLING = [
  'temperature',
  'topP',
  'topK',
  'maxTokens',
  'maxOutputTokens',
] as const satisfies readonly SamplingOption[]

/** The model settings that were asked for and that the agent has no place for. */
export function missingSampling(options: RunOptions, { samplingOptions }: AgentCapabilities): SamplingOption[] {
  if (samplingOptions === undefined) return []
  return SAMPLING.filter((name) => options[name] !== undefined && !samplingOptions.includes(name))
}

interface Gated {
  capabilities: AgentCapabilities
  model: ModelCapabilities | undefined
  options: RunOptions
}

/** A capability, whether the options ask for it, and whether agent and model have it. */
interface Gate {
  capability: string
  wanted: (options: RunOptions) => boolean
  able: (gated: Gated) => boolean
  /** What to do instead. */
  hint?: string
  /** What of it was asked for. */
  which?: (options: RunOptions) => string | undefined
}

const any = (list: readonly unknown[] | undefined) => (list?.length ?? 0) > 0

function unreportedIn(
  { unreported = [], unreportedLive = [], unreportedOneShot = [] }: AgentCapabilities,
  options: RunOptions,
): Unreported[] {
  return [...unreported, ...(options.nonInteractive ? unreportedOneShot : unreportedLive)]
}

/**
 * The optional flags (`supportsAddDirs`…) are newer than the documented contract: an adapter that does not mention
 * one answers for it itself in `buildSpawnArgs`.
 */
const GATES: readonly Gate[] = [
  {
    capability: 'sessionResume',
    wanted: (o) => o.sessionId !== undefined,
    able: ({ capabilities: c }) => c.canResume,
  },
  {
    capability: 'sessionFork',
    wanted: (o) => o.forkSessionId !== undefined,
    able: ({ capabilities: c }) => c.canFork,
  },
  {
    capability: 'newSessionId',
    wanted: (o) => o.newSessionId !== undefined,
    able: ({ capabilities: c }) => c.supportsSessionId !== false,
    hint: 'The agent chooses the id of a new session itself.',
  },
  {
    capability: 'noSession',
    wanted: (o) => o.noSession === true,
    able: ({ capabilities: c }) => c.supportsEphemeral !== false,
    hint: 'The agent always keeps its session.',
  },
  {
    capability: 'textStreaming',
    wanted: (o) => o.stream === true,
    able: ({ capabilities: c }) => c.supportsTextStreaming,
  },
  {
    capability: 'thinking',
    wanted: (o) => o.thinkingEffort !== undefined || o.thinkingOverride !== undefined,
    able: ({ capabilities: c, model }) => model?.supportsThinking ?? c.supportsThinking,
  },
  {
    capability: 'thinkingEffort',
    wanted: (o) => o.thinkingEffort !== undefined,
    able: ({ capabilities: c, model, options }) => {
      const levels = model?.thinkingEffortLevels ?? c.thinkingEffortLevels
      return options.thinkingEffort === undefined || !Array.isArray(levels) || levels.includes(options.thinkingEffort)
    },
    which: (o) => o.thinkingEffort,
  },
  {
    capability: 'thinkingBudgetTokens',
    wanted: (o) => o.thinkingBudgetTokens !== undefined,
    able: ({ capabilities: c }) => c.supportsThinkingBudgetTokens,
    hint: 'Use thinkingEffort.',
  },
  {
    capability: 'thinkingOverride',
    wanted: (o) => o.thinkingOverride !== undefined,
    able: ({ capabilities: c }) => c.supportsThinkingOverride !== false,
    hint: 'Use thinkingEffort.',
  },
  {
    capability: 'jsonMode',
    wanted: (o) => o.outputFormat === 'json',
    able: ({ capabilities: c, model }) => model?.supportsJsonMode ?? c.supportsJsonMode,
  },
  { capability: 'skills', wanted: (o) => any(o.skills), able: ({ capabilities: c }) => c.supportsSkills },
  {
    capability: 'agentsMd',
    wanted: (o) => o.agentsDoc !== undefined,
    able: ({ capabilities: c }) => c.supportsAgentsMd,
    hint: 'Write it to the file that the agent reads, such as AGENTS.md, or pass it as systemPrompt.',
  },
  {
    capability: 'mcp',
    wanted: (o) => any(o.mcpServers),
    able: ({ capabilities: c }) => c.supportsMCP,
    hint: "Add them to the agent's own settings.",
  },
  {
    capability: 'imageInput',
    wanted: (o) => (o.attachments ?? []).some(isImage),
    able: ({ capabilities: c, model }) => model?.supportsImageInput ?? c.supportsImageInput,
    hint: 'Name the files in the prompt.',
  },
  {
    capability: 'fileAttachments',
    wanted: (o) => (o.attachments ?? []).some((attachment) => !isImage(attachment)),
    able: ({ capabilities: c }) => c.supportsFileAttachments,
    hint: 'Name the files in the prompt.',
  },
  {
    capability: 'addDirs',
    wanted: (o) => any(o.addDirs),
    able: ({ capabilities: c }) => c.supportsAddDirs !== false,
  },
  {
    capability: 'toolLists',
    wanted: (o) => any(o.allowedTools) || any(o.disallowedTools),
    able: ({ capabilities: c }) => c.supportsToolLists !== false,
  },
  {
    capability: 'budget',
    wanted: (o) => o.maxCostUsd !== undefined,
    able: ({ capabilities: c }) => c.supportsBudget !== false,
    hint: 'The usage of its turn is not known before it is over. Leave out `maxCostUsd` and limit the run with `timeout`.',
  },
  {
    capability: 'budget without a session',
    wanted: (o) => o.maxCostUsd !== undefined && o.noSession === true,
    able: ({ capabilities: c, options }) =>
      c.usageAfterTurn?.includes(options.nonInteractive ? 'one-shot' : 'live') !== true,
    hint: 'What it has used is read from its session while a turn runs. Leave out `noSession` or `maxCostUsd`.',
  },
  {
    capability: 'maxTurns',
    wanted: (o) => o.maxTurns !== undefined,
    able: ({ capabilities: c, options }) => c.supportsMaxTurns === true || !unreportedIn(c, options).includes('tools'),
    hint: 'Nothing is seen of its requests before it is done. Limit the run with `timeout`.',
  },
  ...SAMPLING.map(
    (name): Gate => ({
      capability: name,
      wanted: (o) => o[name] !== undefined && o.lenient !== true,
      able: ({ capabilities: c, options }) => !missingSampling(options, c).includes(name),
      hint: 'The agent has no setting for it. Leave it out, or go on without it with `lenient`.',
    }),
  ),
  {
    capability: 'approvalMode',
    wanted: (o) => o.approvalMode !== undefined && o.approvalMode !== 'prompt',
    able: ({ capabilities: c, options }) =>
      !Array.isArray(c.approvalModes) || c.approvalModes.some((mode) => mode === options.approvalMode),
    which: (o) => o.approvalMode,
  },
  {
    capability: 'policy',
    wanted: (o) => o.policy !== undefined,
    able: ({ capabilities: c }) => c.supportsApprovals === true,
    hint: 'It does not ask us before it acts, so no rule could be enforced. docs/policy.md lists the agents that do.',
  },
  {
    capability: 'systemPromptMode',
    wanted: (o) => o.systemPrompt !== undefined,
    able: ({ capabilities: c, options: { systemPromptMode = 'append' } }) =>
      c.systemPromptModes === undefined || c.systemPromptModes.includes(systemPromptMode),
    which: (o) => o.systemPromptMode ?? 'append',
  },
]

/** Refuses before anything is started what the agent, or the chosen model, cannot do. Nothing is silently ignored. */
export function gateCapabilities(
  options: RunOptions,
  capabilities: AgentCapabilities,
  models: readonly ModelCapabilities[],
): void {
  if (options.endpoint && capabilities.endpointProtocols) protocolOf(capabilities, options.endpoint)
  const wanted = options.model
  const isWanted = (one: ModelCapabilities) => one.modelId === wanted || one.modelAlias === wanted
  const model = wanted === undefined ? undefined : models.find(isWanted)
  for (const gate of GATES) {
    if (!gate.wanted(options) || gate.able({ capabilities, model, options })) continue
    const agent = capabilities.agent ?? options.agent ?? ''
    const which = gate.which?.(options)
    const subject = model ? `${agent} with model ${model.modelId}` : agent
    throw new CapabilityError(agent, gate.capability, {
      model: model?.modelId,
      message: which && `${subject} does not support ${gate.capability} "${which}"`,
      hint: gate.hint ?? `\`amux capabilities ${agent}\` shows what this agent can do`,
    })
  }
}
