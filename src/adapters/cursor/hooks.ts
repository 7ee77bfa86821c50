import { join } from 'node:path'
import type { AdapterHooks, HookContext, HookEntry, HookReading } from '../../contract/hooks.ts'
import { isRecord } from '../../core/json.ts'
import { summaryText } from '../../core/session-metadata.ts'
import { field, readClaudeHook } from '../kit/hooks/claude-hooks.ts'
import { hookCommand } from '../kit/hooks/command.ts'

// From the documents only: there is no cursor-agent to run here.

/** Its events with what it wants to be answered, and the events of Claude Code that they are. */
const EVENTS: Readonly<Record<string, { answer: string; sameAs?: string }>> = {
  sessionStart: { answer: '{}', sameAs: 'SessionStart' },
  beforeSubmitPrompt: { answer: '{"continue":true}', sameAs: 'UserPromptSubmit' },
  preToolUse: { answer: '{}', sameAs: 'PreToolUse' },
  postToolUse: { answer: '{}', sameAs: 'PostToolUse' },
  afterAgentResponse: { answer: '{}' },
  stop: { answer: '{}', sameAs: 'Stop' },
  sessionEnd: { answer: '{}', sameAs: 'SessionEnd' },
}

function entries(context: HookContext): HookEntry[] {
  const commands = Object.entries(EVENTS).map(
    ([event, { answer }]): HookEntry => ({
      keyPath: ['hooks', event],
      as: 'item',
      value: { command: hookCommand(context, 'cursor', event, answer) },
    }),
  )
  return [{ keyPath: ['version'], as: 'default', value: 1 }, ...commands]
}

function read(event: string, payload: unknown): HookReading | null {
  if (!isRecord(payload)) return null
  const { sameAs } = EVENTS[event] ?? {}
  const reading = readClaudeHook(sameAs ?? event, {
    ...payload,
    session_id: field(payload, 'conversation_id', 'session_id'),
  })
  const summary = event === 'afterAgentResponse' ? summaryText(field(payload, 'text')) : undefined
  return summary === undefined ? reading : { ...reading, metadata: { ...reading?.metadata, summary } }
}

export const hooks: AdapterHooks = {
  plan(context) {
    const { homeDir, workspace } = context
    const at = (directory: string) => ({
      files: [
        {
          kind: 'shared' as const,
          path: join(directory, '.cursor', 'hooks.json'),
          format: 'json' as const,
          entries: entries(context),
        },
      ],
    })
    return { agent: 'cursor', events: Object.keys(EVENTS), user: at(homeDir), workspace: at(workspace) }
  },
  read,
}
