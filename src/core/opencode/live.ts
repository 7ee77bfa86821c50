import type { Dialogue, DialogueCommand, Effect, TurnFailure } from '../../contract/dialogue.ts'
import type { StreamSource } from '../../contract/events.ts'
import type { RunOptions } from '../../contract/run-options.ts'
import { NO_EFFECTS } from '../effects.ts'
import { failTurn } from '../failures.ts'
import { ENDPOINT_PREFIX, nativeModel } from './config.ts'
import type { OpencodeDialect } from './dialect.ts'
import { answered, createRetries, logLine, settled } from './retries.ts'

/** What the config of the run says already need not be said again in the protocol. */
export function protocolOptions(options: RunOptions): RunOptions {
  const { systemPrompt: _prompt, temperature: _t, topP: _p, maxTokens: _m, maxOutputTokens: _o, ...rest } = options
  return { ...rest, model: nativeModel(options, options.model) }
}

/** The model as the caller knows it. */
function plainModel(model: string): string {
  return model.startsWith(ENDPOINT_PREFIX) ? model.slice(ENDPOINT_PREFIX.length) : model
}

const MISSING_MODEL = /model not found: ([^/\s]+)\//i

/** A model is missing because its provider is: then no model of it is offered, for want of credentials. */
function lacksProvider({ outcome }: TurnFailure, offered: string): boolean {
  const provider = MISSING_MODEL.exec(outcome.evidence ?? '')?.[1]
  return provider !== undefined && !offered.includes(`"value":"${provider}/`)
}

function withPlainModel(effect: Effect): Effect {
  if ('model' in effect) return { model: plainModel(effect.model) }
  if (!('emit' in effect) || effect.emit.type !== 'token_usage') return effect
  const { model } = effect.emit
  return model === undefined ? effect : { emit: { ...effect.emit, model: plainModel(model) } }
}

const ANSWER = '"sessionUpdate":"agent_'

/** The dialogue over ACP, with the tries that only the log tells of, and models by the names that the caller uses. */
export function liveDialogue({ loginGuidance }: OpencodeDialect, options: RunOptions, acp: Dialogue): Dialogue {
  const retries = createRetries()
  let offered = ''
  const translate = (effect: Effect): Effect[] => {
    if (!('fail' in effect) || !lacksProvider(effect.fail, offered)) return [withPlainModel(effect)]
    return failTurn('auth', { message: effect.fail.outcome.evidence ?? '', guidance: loginGuidance })
  }
  const onLine = (line: string, source: StreamSource): Effect[] => {
    if (source === 'stderr') return logLine(retries, line)
    if (line.includes('"configOptions":')) offered = line
    const before = retries.failedTry !== undefined && line.includes(ANSWER) ? answered(retries) : NO_EFFECTS
    const effects = acp.onLine(line, source)
    if (effects.some((effect) => 'emit' in effect && effect.emit.type === 'turn_end')) settled(retries)
    return [...before, ...effects.flatMap(translate)]
  }
  return {
    ...acp,
    onLine,
    onCommand: (command: DialogueCommand) =>
      command.type === 'set_model'
        ? acp.onCommand({ type: 'set_model', model: nativeModel(options, command.model) ?? '' })
        : acp.onCommand(command),
  }
}
