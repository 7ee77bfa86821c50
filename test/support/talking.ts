import type { AgentAdapter } from '../../src/contract/adapter.ts'
import type { Dialogue, DialogueCommand, Effect } from '../../src/contract/dialogue.ts'
import type { AgentEventDraft } from '../../src/contract/event-drafts.ts'
import type { RunOptions } from '../../src/contract/run-options.ts'
import { type FailureDetail, type FailureKind, failTurn } from '../../src/core/failures.ts'
import { type AgentMuxClient, createClient } from '../../src/mux/client.ts'
import { bareAdapter, program } from './adapters.ts'
import { temporaryDirectory } from './client.ts'

type NativeLine = { emit: AgentEventDraft } | ({ fail: FailureKind } & FailureDetail)

const UNSUPPORTED: readonly DialogueCommand['type'][] = ['set_model']

/** The dialogue of `programs/talks.mjs`. */
export function talk(options: RunOptions): Dialogue {
  let open = 0
  const write = (command: DialogueCommand): Effect => ({ write: JSON.stringify(command) })
  const userTurn = (text: string): Effect[] => {
    open += 1
    return [write({ type: 'user_turn', text })]
  }
  return {
    start: () => userTurn([options.prompt].flat().join('\n\n')),
    onLine(line, source) {
      if (source === 'stderr') return []
      const record: NativeLine = JSON.parse(line)
      if ('fail' in record) return failTurn(record.fail, record)
      if (record.emit.type === 'turn_end') open -= 1
      return [{ emit: record.emit }]
    },
    onCommand(command) {
      if (UNSUPPORTED.includes(command.type)) return null
      if (command.type === 'user_turn') return userTurn(command.text)
      return command.type === 'close' ? [{ closeStdin: true }] : [write(command)]
    },
    onExit: () => [],
    busy: () => open > 0,
  }
}

export function talkingAdapter(overrides: Partial<AgentAdapter> = {}): AgentAdapter {
  return bareAdapter('talks', { args: [program('talks')] }, { createDialogue: talk, ...overrides })
}

export function talkingClient(overrides: Partial<AgentAdapter> = {}): AgentMuxClient {
  const directory = temporaryDirectory()
  const mux = createClient({ configDir: directory, projectConfigDir: directory })
  mux.adapters.register(talkingAdapter(overrides))
  return mux
}
