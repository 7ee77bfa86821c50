import { defineCommand, refuseExtra } from '../command.ts'

export const command = defineCommand({
  usage: 'detect-host',
  about: 'Agents set variables for the tools they start. This looks for them: a script can tell who runs it.',
  flags: {},
  examples: ['amux detect-host', 'amux detect-host --json'],
  async run({ args, flags }, { output, client }) {
    refuseExtra(args, 0)
    const host = (await client(flags)).detectHost()
    const text = host ? `${host.agent} (${host.signals.join(', ')})` : 'Not below any agent that we know.'
    output.result(host, text)
    return 0
  },
})
