import { suggest } from '../../mux/suggest.ts'
import { defineCommand, findCommand, refuseExtra, usageError } from '../command.ts'
import { EXIT_CODES } from '../exit-codes.ts'
import { commandHelp, exitCodeHelp, overview } from '../help.ts'

export const command = defineCommand({
  usage: 'help [command | exit-codes]',
  flags: {},
  examples: ['amux help', 'amux help run', 'amux help exit-codes --json'],
  async run({ args }, { output, commands }) {
    refuseExtra(args, 1)
    const [topic] = args
    const paint = output.paint()
    if (topic === undefined) {
      output.result(
        commands.map(({ name, aliases = [], summary }) => ({ name, aliases, summary })),
        overview(commands, paint),
      )
      return 0
    }
    if (topic === 'exit-codes') {
      output.result(EXIT_CODES, exitCodeHelp(paint))
      return 0
    }
    const entry = findCommand(commands, topic)
    if (!entry) {
      const close = suggest(topic, [...commands.map(({ name }) => name), 'exit-codes'])
      throw usageError(`No help on "${topic}"`, close ? `Did you mean "${close}"?` : '`amux help` lists the commands.')
    }
    const { name, summary } = entry
    const found = (await entry.load()).command
    const { usage, flags, examples } = found
    output.result({ name, summary, usage, flags, examples }, commandHelp(entry, found, paint))
    return 0
  },
})
