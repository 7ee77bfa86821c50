import { suggest } from '../../mux/suggest.ts'
import { defineCommand, refuseExtra, usageError } from '../command.ts'
import { COMMANDS, findCommand } from '../commands.ts'
import { EXIT_CODES } from '../exit-codes.ts'
import { commandHelp, exitCodeHelp, overview } from '../help.ts'

export const command = defineCommand({
  usage: 'help [command | exit-codes]',
  flags: {},
  examples: ['amux help', 'amux help run', 'amux help exit-codes --json'],
  async run({ args }, { output }) {
    refuseExtra(args, 1)
    const [topic] = args
    const paint = output.paint()
    if (topic === undefined) {
      output.result(
        COMMANDS.map(({ name, aliases = [], summary }) => ({ name, aliases, summary })),
        overview(paint),
      )
      return
    }
    if (topic === 'exit-codes') return void output.result(EXIT_CODES, exitCodeHelp(paint))
    const entry = findCommand(topic)
    if (!entry) {
      const close = suggest(topic, [...COMMANDS.map(({ name }) => name), 'exit-codes'])
      throw usageError(`No help on "${topic}"`, close ? `Did you mean "${close}"?` : '`amux help` lists the commands.')
    }
    const { name, summary } = entry
    const found = (await entry.load()).command
    const { usage, flags, examples } = found
    output.result({ name, summary, usage, flags, examples }, commandHelp(entry, found, paint))
  },
})
