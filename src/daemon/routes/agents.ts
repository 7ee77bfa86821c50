import { AgentMuxError } from '../../contract/errors.ts'
import type { AgentAdapterInfo, InstalledAgentInfo } from '../../contract/registry.ts'
import type { AgentMuxClient } from '../../mux/client.ts'
import { endpoint } from '../http/endpoint.ts'

/** The agents of this machine. */
export function agentEndpoints(mux: AgentMuxClient) {
  const { adapters, auth } = mux
  const info = (agent: string): AgentAdapterInfo => {
    adapters.capabilities(agent) // throws for an unknown one, with a suggestion
    const found = adapters.list().find((one) => one.agent === agent)
    if (found) return found
    throw new AgentMuxError('UNKNOWN_AGENT', `There is no agent "${agent}"`)
  }
  const together = (one: AgentAdapterInfo, installed: InstalledAgentInfo) => ({ ...one, ...installed })
  return {
    listAgents: endpoint('listAgents', async () => {
      const installed = await adapters.installed()
      return adapters.list().flatMap((one) => {
        const found = installed.find(({ agent }) => agent === one.agent)
        return found ? [together(one, found)] : []
      })
    }),
    getAgent: endpoint('getAgent', async ({ agent }) => {
      const known = info(agent)
      const [adapter, installed] = await Promise.all([adapters.load(agent), adapters.detect(agent)])
      if (!installed) throw new AgentMuxError('UNKNOWN_AGENT', `There is no agent "${agent}"`)
      const { capabilities, models } = adapter
      return { info: together(known, installed), capabilities, models: [...models] }
    }),
    listAuth: endpoint('listAuth', () => auth.checkAll()),
    getAuth: endpoint('getAuth', async ({ agent }) => {
      info(agent)
      const [state, guidance] = await Promise.all([auth.check(agent), auth.getSetupGuidance(agent)])
      return { state, guidance }
    }),
  }
}
