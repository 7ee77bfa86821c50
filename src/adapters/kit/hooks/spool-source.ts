import { HOOK_MARK, type HookContext } from '../../../contract/hooks.ts'
import type { AgentName } from '../../../contract/names.ts'

/**
 * JavaScript for hooks that run inside an agent: a function `deliver(event, payload)` that puts a hook into the spool
 * as the installed script does, and `isOurs`. It must never throw, and never make the agent wait.
 */
export function spoolSource({ dataDir }: HookContext, agent: AgentName): string {
  return `// ${HOOK_MARK}: hands the hooks of this agent to agent-mux. Made by agent-mux, which replaces it as needed.
import { appendFileSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'

const session = process.env.AMUX_SESSION_ID ?? ''
const isOurs = session !== '' && !/[/\\\\\\s]/.test(session)
const data = process.env.AGENT_MUX_DATA_DIR || ${JSON.stringify(dataDir)}
// The agent may load this file more than once.
const instance = Math.random().toString(36).slice(2, 8)
let count = 0

function deliver(event, payload) {
  if (!isOurs) return
  try {
    const launch = Number(process.env.AMUX_LAUNCH) || 0
    const order = String(count++).padStart(6, '0')
    const path = data + '/spool/' + [session, launch, order, instance, process.pid].join('.')
    mkdirSync(data + '/spool', { recursive: true, mode: 0o700 })
    const header = ['amux-hook 1', ${JSON.stringify(agent)}, event, session, launch].join(' ')
    writeFileSync(path + '.part', header + '\\n' + JSON.stringify(payload), { mode: 0o600 })
    renameSync(path + '.part', path + '.hook')
  } catch (error) {
    try {
      appendFileSync(data + '/hooks.log', ${JSON.stringify(agent)} + ' ' + event + ' ' + session + ': ' + error + '\\n', { mode: 0o600 })
    } catch {}
  }
}
`
}
