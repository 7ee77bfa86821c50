import { acpEntry, isAcpName } from '../adapters/families/acp/generic.ts'
import { AgentMuxError } from '../contract/errors.ts'
import type { AgentName } from '../contract/names.ts'
import { asRecord, asString, isRecord } from '../core/json.ts'
import { readConfig } from './defaults.ts'
import type { BuiltInEntry } from './registry.ts'

/**
 * Agents that nobody has registered: `acp:<command line>`, and those in the user's own settings,
 * `{"agents": {"my-agent": {"acp": "my-agent --acp", "env": {…}}}}`. A project's settings name no agents: opening
 * a strange repository must not run what it says.
 */
export class NamedAgents {
  readonly #configDir: () => string
  readonly #found = new Map<string, BuiltInEntry>()

  constructor(configDir: () => string) {
    this.#configDir = configDir
  }

  find(agent: AgentName): BuiltInEntry | null {
    if (agent === '') return null
    const command = isAcpName(agent) ? undefined : this.#fromSettings(agent)
    if (command === null) return null
    // The same words give the same adapter, so that it is made once.
    const key = JSON.stringify([agent, command])
    const entry = this.#found.get(key) ?? acpEntry(agent, command)
    this.#found.set(key, entry)
    return entry
  }

  #fromSettings(agent: AgentName): { acp: string; env: Record<string, string> } | null {
    const path = `${this.#configDir()}/config.json`
    const given = asRecord(readConfig(this.#configDir()).agents)?.[agent]
    if (given === undefined) return null
    const { acp, env = {} } = asRecord(given) ?? {}
    if (typeof acp === 'string' && isRecord(env) && Object.values(env).every((value) => typeof value === 'string')) {
      const pairs = Object.entries(env).map(([name, value]): [string, string] => [name, asString(value) ?? ''])
      return { acp, env: Object.fromEntries(pairs) }
    }
    throw new AgentMuxError('CONFIG_ERROR', `${path}: agents.${agent} must be {"acp": "command line", "env"?: {…}}`)
  }
}
