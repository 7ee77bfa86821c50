import type { Dialogue } from '../../contract/dialogue.ts'
import type { RunOptions } from '../../contract/run-options.ts'
import { NO_EFFECTS } from '../../core/effects.ts'
import { acpDialogue } from '../families/acp/dialogue.ts'
import { eitherWire } from '../families/acp/either-wire.ts'
import { endWithoutResult, oneWayStart } from '../kit/one-way.ts'
import { recordReader } from '../kit/record-reader.ts'
import { documentEffects } from './document.ts'
import { logEffects } from './log.ts'
import { createState } from './state.ts'

const AGENT = { displayName: 'OpenClaw' }

/** One turn: a log on stderr while it lasts, and one document over many lines on stdout at its end. */
function execDialogue(options: RunOptions): Dialogue {
  const state = createState(options)
  const outputLine = recordReader((document) => documentEffects(state, document))
  return {
    start: () => oneWayStart(options),
    onLine: (line, source) => (source === 'stderr' ? logEffects(state, line) : outputLine(line)),
    onCommand: () => null,
    onExit: (exit) => (state.settled ? NO_EFFECTS : endWithoutResult(AGENT, exit)),
  }
}

/** Speaks with `openclaw agent exec`. The ACP of its gateway is read where a recording holds it. */
export function createDialogue(options: RunOptions): Dialogue {
  const acp = acpDialogue('openclaw', { args: ['acp'] })(options)
  return eitherWire({ usesAcp: false, acp, stream: execDialogue(options) })
}
