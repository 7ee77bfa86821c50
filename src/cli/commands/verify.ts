import { AgentMuxError } from '../../contract/errors.ts'
import { defineCommand } from '../command.ts'

export const command = defineCommand({
  usage: 'verify [flags]',
  flags: {},
  examples: ['amux verify'],
  async run() {
    throw new AgentMuxError('INTERNAL', '`amux verify` is not written yet')
  },
})
