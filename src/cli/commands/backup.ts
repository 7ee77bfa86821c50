import { resolve } from 'node:path'
import { defineCommand, refuseExtra, usageError } from '../command.ts'
import { daemonPlaces } from '../daemon/places.ts'
import { plural } from '../text.ts'

export const command = defineCommand({
  usage: 'backup [FILE] | backup restore FILE',
  about: `
Copies all managed sessions, with what happened in them, into one file; agents may work meanwhile. \`backup restore\` puts
such a file in their place: the daemon must be stopped and no agent running. What was there is moved aside, not removed.
Agents that ran when the backup was made count as ended; \`amux restore SESSION\` brings a session back. Secrets,
worktrees and the agents' own conversations are not part of it.`,
  flags: {},
  examples: ['amux backup', 'amux backup /mnt/usb/amux.db', 'amux backup restore /mnt/usb/amux.db'],
  async run({ args, flags }, { output }) {
    const { dataDir } = daemonPlaces(flags)
    const { requireOwnData } = await import('../../daemon/own-data.ts')
    requireOwnData(dataDir)
    if (args[0] === 'restore') {
      const [, file] = args
      refuseExtra(args, 2)
      if (file === undefined) throw usageError('Name the file to restore')
      const { restoreBackup } = await import('../../daemon/backup/restore.ts')
      const done = await restoreBackup(dataDir, resolve(file), await import('../../runner/index.ts'))
      const before = done.before === null ? '' : ` What was there is in ${done.before}.`
      output.result(done, `${plural(done.sessions, 'session')} restored.${before}`)
      return 0
    }
    refuseExtra(args, 1)
    const { writeBackup } = await import('../../daemon/backup/write.ts')
    const name = `agent-mux-${new Date().toISOString().slice(0, 19).replace(/[:T]/g, '-')}.db`
    const made = await writeBackup(dataDir, resolve(args[0] ?? name))
    output.result(made, `${plural(made.sessions, 'session')} and ${plural(made.files, 'file')} in ${made.file}`)
    return 0
  },
})
