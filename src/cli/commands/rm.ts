import { defineCommand, usageError } from '../command.ts'
import { connectDaemon } from '../daemon/connect.ts'

export const command = defineCommand({
  usage: 'rm SESSION…',
  about: `
Forgets sessions that have exited, with their events and their worktrees. No work is lost: commits stay on the branch of
the worktree, and what was not committed goes to a ref whose name is printed. The agent's own transcript is not touched.`,
  flags: {},
  examples: ['amux rm k3v9'],
  async run({ args, flags }, context) {
    if (args.length === 0) throw usageError('Which session? amux rm SESSION…', '`amux ls` lists them.')
    const client = await connectDaemon(flags, context)
    const removed: { id: string; preserved: string | null }[] = []
    for (const id of args) removed.push({ id, ...(await client.call('removeSession', { id })) })
    const lines = removed.map(({ id, preserved }) => {
      return preserved === null ? `Removed ${id}.` : `Removed ${id}; its uncommitted work is in ${preserved}.`
    })
    context.output.result(removed, lines.join('\n'))
    return 0
  },
})
