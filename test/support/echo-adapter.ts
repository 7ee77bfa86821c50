import type { SpawnArgs } from '../../src/contract/spawn.ts'
import { type AgentEvent, BaseAgentAdapter, type ParseContext, type RunOptions } from '../../src/index.ts'
import { bareAdapter } from './adapters.ts'

const bare = bareAdapter('echo')

/** A class adapter whose agent prints the prompt; each line is a message. */
export class EchoAdapter extends BaseAgentAdapter {
  readonly agent = 'echo'
  readonly displayName = 'Echo'
  readonly cliCommand = 'echo'
  readonly minVersion: string | undefined = undefined
  readonly capabilities = bare.capabilities
  readonly models = []
  readonly defaultModelId = undefined
  readonly configSchema = bare.configSchema
  readonly detectAuth = bare.detectAuth
  readonly getAuthGuidance = bare.getAuthGuidance
  readonly sessionDir = bare.sessionDir
  readonly parseSessionFile = bare.parseSessionFile
  readonly listSessionFiles = bare.listSessionFiles
  readonly readConfig = bare.readConfig
  readonly writeConfig = bare.writeConfig

  buildSpawnArgs(options: RunOptions): SpawnArgs {
    const args = [options.prompt].flat()
    return { command: 'echo', args, env: this.buildEnvFromOptions(options), cwd: process.cwd(), usePty: false }
  }

  parseEvent(line: string, { runId, agent }: ParseContext): AgentEvent {
    return { type: 'message_stop', text: line, runId, agent, timestamp: 0 }
  }
}
