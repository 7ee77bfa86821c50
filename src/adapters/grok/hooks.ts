import { join } from 'node:path'
import { type AdapterHooks, HOOK_MARK } from '../../contract/hooks.ts'
import { placeOf } from '../../core/agent-paths.ts'
import { asRecord } from '../../core/json.ts'
import { CLAUDE_EVENTS, hookGroups, readClaudeHook } from '../kit/hooks/claude-hooks.ts'
import { manifest } from './manifest.ts'

export const hooks: AdapterHooks = {
  plan(context) {
    const path = join(placeOf('~/.grok', manifest.directories, context), 'hooks', `${HOOK_MARK}.json`)
    const content = `${JSON.stringify({ hooks: hookGroups(context, 'grok', CLAUDE_EVENTS) }, null, 2)}\n`
    return { agent: 'grok', events: CLAUDE_EVENTS, user: { files: [{ kind: 'own', path, content }] } }
  },
  read(event, payload) {
    // A second Stop follows the end of its session.
    if (event === 'Stop' && asRecord(payload)?.reason === 'shutdown') return null
    return readClaudeHook(event, payload)
  },
}
