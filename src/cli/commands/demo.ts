import { AgentMuxError } from '../../contract/errors.ts'
import { defineCommand } from '../command.ts'

export const command = defineCommand({
  usage: 'demo [flags]',
  flags: {},
  examples: ['amux demo'],
  async run() {
    throw new AgentMuxError('INTERNAL', '`amux demo` is not written yet')
  },
})
