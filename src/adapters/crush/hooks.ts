import { join } from 'node:path'
import type { AdapterHooks, HookContext, HookEntry } from '../../contract/hooks.ts'
import { placeOf } from '../../core/agent-paths.ts'
import { readClaudeHook } from '../kit/hooks/claude-hooks.ts'
import { hookCommand } from '../kit/hooks/command.ts'
import { manifest } from './manifest.ts'

// From its source (internal/hooks) only: there is no crush to run here. It has one event, and entries without groups;
// the payload is that of Claude Code. It is the only place where the CLI reports the id of its session.
const EVENT = 'PreToolUse'

function entries(context: HookContext): HookEntry[] {
  return [{ keyPath: ['hooks', EVENT], as: 'item', value: { command: hookCommand(context, 'crush', EVENT) } }]
}

export const hooks: AdapterHooks = {
  plan(context) {
    const at = (path: string) => ({
      files: [{ kind: 'shared' as const, path, format: 'json' as const, entries: entries(context) }],
      notes: ['Crush reports only that a tool is about to run, not the end of a turn.'],
    })
    return {
      agent: 'crush',
      events: [EVENT],
      user: at(placeOf('~/.config/crush/crush.json', manifest.directories, context)),
      workspace: at(join(context.workspace, '.crush.json')),
    }
  },
  read: readClaudeHook,
}
