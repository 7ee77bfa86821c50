import type { LaunchSecrets } from '../contract/launch.ts'
import { DeltaGuard } from './delta-guard.ts'
import { createFind } from './find.ts'
import { knownValues } from './known-values.ts'
import { cellMaskOf, maskOf } from './mask.ts'
import { REDACTED, type Redact } from './redact.ts'
import { replaceSpans } from './spans.ts'
import { TerminalGuard } from './terminal-guard.ts'
import { createWaitFrom } from './wait.ts'

/** Takes the secrets of a launch, and what is plainly a key, out of a text. What was JSON stays JSON. */
export function createRedactor(secrets: LaunchSecrets, processEnv: NodeJS.ProcessEnv): Redact {
  const find = createFind(knownValues(secrets, processEnv))
  return (text) => {
    const spans = find(text)
    return spans.length === 0 ? text : replaceSpans(text, spans, () => REDACTED)
  }
}

/** Does for texts that come in pieces what the redactor does for whole ones. */
export function createDeltaGuard(secrets: LaunchSecrets, processEnv: NodeJS.ProcessEnv): DeltaGuard {
  const values = knownValues(secrets, processEnv)
  return new DeltaGuard({ find: createFind(values), maskOf, waitFrom: createWaitFrom(values) })
}

/** Does it for what a program writes to its terminal, and for what somebody looks for on its screen. */
export function createTerminalGuard(secrets: LaunchSecrets, processEnv: NodeJS.ProcessEnv): TerminalGuard {
  const values = knownValues(secrets, processEnv)
  return new TerminalGuard({ find: createFind(values), maskOf: cellMaskOf, waitFrom: createWaitFrom(values) })
}
