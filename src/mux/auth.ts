import type { AuthSetupGuidance, AuthState } from '../contract/auth.ts'
import { isAgentMuxError } from '../contract/errors.ts'
import type { AgentName } from '../contract/names.ts'
import type { Registry } from './registry.ts'

/** `mux.auth`: whether agents are signed in, and how to sign in. */
export interface AuthManager {
  check(agent: AgentName): Promise<AuthState>
  checkAll(): Promise<AuthState[]>
  getSetupGuidance(agent: AgentName): Promise<AuthSetupGuidance>
}

/** `mux.auth`. */
export function authManager(registry: Registry): AuthManager {
  const check = async (agent: AgentName): Promise<AuthState> => {
    try {
      return await (await registry.load(agent)).detectAuth()
    } catch (error) {
      if (isAgentMuxError(error)) throw error
      return { agent, status: 'unknown', checkedAt: Date.now() }
    }
  }
  return {
    check,
    checkAll: () => Promise.all(registry.entries().map(({ agent }) => check(agent))),
    getSetupGuidance: async (agent) => {
      const adapter = await registry.load(agent)
      try {
        return adapter.getAuthGuidance()
      } catch {
        return { agent, providerName: adapter.displayName, steps: [], envVars: [], documentationUrls: [] }
      }
    },
  }
}
