import type {
  NewSessionResponse,
  SessionConfigOption,
  SessionConfigSelectOption,
  SessionModeState,
} from '@agentclientprotocol/sdk/unstable'
import type { Effect } from '../../../contract/dialogue.ts'
import { NO_EFFECTS, warning } from '../../../core/effects.ts'
import { asRecord, asRecords, asString, type JsonRecord } from '../../../core/json.ts'
import { notOffered } from './errors.ts'
import { isMetered } from './profile.ts'
import { type Native, request } from './rpc.ts'
import type { AcpState, SentRequest, SetupStep } from './state.ts'

/** The model of older agents, gone from the protocol. */
interface LegacySession {
  models: { currentModelId: string; availableModels: { modelId: string }[] }
}

/** Takes over what a session says of its modes, models and options. */
export function learnOptions(state: AcpState, session: Native<NewSessionResponse & LegacySession>): Effect[] {
  if (Array.isArray(session.configOptions)) state.configOptions = asRecords(session.configOptions)
  state.modes = asRecord(session.modes) ?? state.modes
  state.models = asRecord(session.models) ?? state.models
  const current = asString(optionOf(state, 'model')?.currentValue) ?? asString(state.models?.currentModelId)
  const { options, profile } = state
  if (current === undefined) return NO_EFFECTS
  const model = current === profile.endpointModel ? options.model : (profile.modelNames?.plain(current) ?? current)
  return useModel(state, model)
}

export function useModel(state: AcpState, model: string | undefined): Effect[] {
  if (model === undefined || model === state.model) return NO_EFFECTS
  state.model = model
  return [{ model }]
}

type Category = 'mode' | 'model' | 'thought_level'

function optionOf(state: AcpState, category: Category): Native<SessionConfigOption> | undefined {
  const options: Native<SessionConfigOption>[] = state.configOptions
  return (
    options.find((option) => option.category === category) ??
    options.find((option) => (option.category ?? null) === null && option.id === category)
  )
}

/** The choices of an option, also where they come in groups. */
function valuesOf(option: Native<SessionConfigOption> | undefined): string[] {
  return asRecords(option?.options).flatMap((entry) => {
    const choices: Native<SessionConfigSelectOption>[] = Array.isArray(entry.options)
      ? asRecords(entry.options)
      : [entry]
    return choices.flatMap(({ value }) => asString(value) ?? [])
  })
}

function offeredModes(state: AcpState): string[] {
  const { availableModes }: Native<SessionModeState> = state.modes ?? {}
  return [...asRecords(availableModes).flatMap(({ id }) => asString(id) ?? []), ...valuesOf(optionOf(state, 'mode'))]
}

function currentMode(state: AcpState): string | undefined {
  return asString(state.modes?.currentModeId) ?? asString(optionOf(state, 'mode')?.currentValue)
}

/** The caller has to know that it is not the model of his choice that answers. */
export function replacedModel({ agent, model, options, profile }: AcpState): Effect[] {
  const isOther = model !== undefined && options.model !== undefined && model !== options.model
  if (!profile.replacesModels || !isOther) return NO_EFFECTS
  return [warning(`${agent} does not find the model ${options.model} and uses ${model}. Does the endpoint list it?`)]
}

/** What has to be set before the first turn, unless the agent lacks something for it. */
export function planSetup(state: AcpState): { steps: SetupStep[]; missing: Effect[] } {
  const steps: SetupStep[] = []
  const { options, profile } = state
  const mode = isMetered(profile, options) ? profile.metered?.mode : profile.modes?.[options.approvalMode ?? 'prompt']
  const isStartedWith = profile.modelFlag !== undefined || (options.endpoint && profile.endpointModel !== undefined)
  const staysElsewhere = profile.sessionsKeepEndpoint && options.endpoint && options.sessionId !== undefined
  const model = options.model ?? (staysElsewhere ? state.model : undefined)
  if (model !== undefined && !isStartedWith && (model !== state.model || staysElsewhere)) {
    const step = modelStep(state, model)
    if (step === null) return { steps, missing: notOffered(state, 'a choice of model') }
    steps.push(step)
  }
  if (options.thinkingEffort !== undefined && profile.effortVariable === undefined) {
    const option = optionOf(state, 'thought_level')
    const value = profile.efforts?.[options.thinkingEffort] ?? options.thinkingEffort
    if (!valuesOf(option).includes(value)) return { steps, missing: notOffered(state, `the thinking effort ${value}`) }
    const configId = asString(option?.id) ?? ''
    if (option?.currentValue !== value) steps.push({ type: 'option', configId, value, what: 'thinking effort' })
  }
  if (options.maxTurns !== undefined && profile.maxTurnsOption !== undefined) {
    const [configId, value] = [profile.maxTurnsOption, String(options.maxTurns)]
    steps.push({ type: 'option', configId, value, what: 'limit of turns' })
  }
  if (mode !== undefined && mode !== currentMode(state)) {
    if (!offeredModes(state).includes(mode)) return { steps, missing: notOffered(state, `the mode ${mode}`) }
    steps.push({ type: 'mode', modeId: mode })
  }
  return { steps, missing: NO_EFFECTS }
}

/** Null: the agent has no choice of model. */
export function modelStep(state: AcpState, modelId: string): SetupStep | null {
  const option = optionOf(state, 'model')
  const configId = asString(option?.id)
  if (configId !== undefined) return { type: 'option', configId, value: modelId, what: 'model' }
  return state.models ? { type: 'model', modelId } : null
}

export function sendStep(state: AcpState, sessionId: string, step: SetupStep): Effect {
  switch (step.type) {
    case 'mode':
      return modeRequest(state, sessionId, step.modeId)
    case 'model':
      return request(state, { kind: 'setup', what: 'model', model: step.modelId }, 'session/set_model', {
        sessionId,
        modelId: state.profile.modelNames?.native(step.modelId, state.options) ?? step.modelId,
      })
    case 'option':
      return request(state, setupOf(step), 'session/set_config_option', {
        sessionId,
        configId: step.configId,
        value: step.value,
      })
  }
}

function setupOf({ what, value }: Extract<SetupStep, { type: 'option' }>): SentRequest {
  return { kind: 'setup', what, model: what === 'model' ? value : undefined }
}

/** Agents that have config options want modes set there; the older request is for the others. */
function modeRequest(state: AcpState, sessionId: string, modeId: string): Effect {
  const sent = { kind: 'setup', what: 'mode' } as const
  if (state.modes) return request(state, sent, 'session/set_mode', { sessionId, modeId })
  const configId = asString(optionOf(state, 'mode')?.id) ?? 'mode'
  return request(state, sent, 'session/set_config_option', { sessionId, configId, value: modeId })
}

/** What was set, once the agent has confirmed it. */
export function stepDone(state: AcpState, result: JsonRecord, model: string | undefined): Effect[] {
  return [...learnOptions(state, result), ...useModel(state, model)]
}
