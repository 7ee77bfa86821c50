import { join } from 'node:path'
import type { HookContext, OwnHookFile } from '../../../contract/hooks.ts'
import type { AgentName } from '../../../contract/names.ts'

/** A file of ours that an agent is pointed at: text, or data as JSON. */
export function launchFile(
  { dataDir }: HookContext,
  agent: AgentName,
  name: string,
  content: string | object,
): OwnHookFile {
  const text = typeof content === 'string' ? content : `${JSON.stringify(content, null, 2)}\n`
  return { kind: 'own', path: join(dataDir, 'hooks', agent, name), content: text }
}
