import { defineCommand, refuseExtra, usageError } from '../../command.ts'
import { SHOW_FLAGS, showTranscript } from '../../sessions/show-transcript.ts'

export const command = defineCommand({
  usage: 'sessions show ID',
  flags: SHOW_FLAGS,
  examples: ['amux sessions show db77', 'amux sessions show db77 --full | less -R', 'amux sessions show db77 --json'],
  async run({ args: [id, ...rest], flags }, context) {
    refuseExtra(rest, 0)
    if (id === undefined)
      throw usageError('Which session? amux sessions show ID', '`amux sessions list` shows the ids.')
    return showTranscript(id, flags, context)
  },
})
