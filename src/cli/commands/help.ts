import { defineCommand } from '../command.ts'
import { EXIT_CODES } from '../exit-codes.ts'
import { commandNamed } from '../find-command.ts'
import { commandHelp, exitCodeHelp, overview } from '../help.ts'

export const command = defineCommand({
  usage: 'help [command… | exit-codes]',
  flags: {},
  examples: ['amux help', 'amux help run', 'amux help exit-codes --json'],
  async run({ args }, { output, commands }) {
    const [topic] = args
    const paint = output.paint()
    if (topic === undefined) {
      output.result(
        commands.map(({ name, aliases = [], summary }) => ({ name, aliases, summary })),
        overview(commands, paint, output.width),
      )
      return 0
    }
    if (topic === 'exit-codes') {
      output.result(EXIT_CODES, exitCodeHelp(paint, output.width))
      return 0
    }
    const { entry, command } = await commandNamed(commands, args)
    const { usage, flags, examples } = command
    const { name, summary } = entry
    output.result({ name, summary, usage, flags, examples }, commandHelp(entry, command, paint, output.width))
    return 0
  },
})
