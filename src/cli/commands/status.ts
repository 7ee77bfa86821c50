import { defineCommand, refuseExtra } from '../command.ts'
import { findDaemon } from '../daemon/connect.ts'
import { daemonPlaces } from '../daemon/places.ts'
import { details } from '../table.ts'
import { formatDuration, plural } from '../text.ts'

export const command = defineCommand({
  usage: 'status',
  about: 'Whether the daemon runs. Exits with 1 when it does not; starts nothing.',
  flags: {},
  examples: ['amux status', 'amux status --json'],
  async run({ args, flags }, { output }) {
    refuseExtra(args, 0)
    const places = daemonPlaces(flags)
    const found = await findDaemon(places)
    if (found === null) {
      output.result({ running: false, ...places }, 'The daemon does not run. `amux serve` or `amux spawn` starts it.')
      return 1
    }
    const { registration, health } = found
    const url = `http://127.0.0.1:${registration.port}`
    const rows: [string, string][] = [
      ['daemon', `${url}, process ${registration.pid}, version ${health.version}`],
      ['up', formatDuration(Date.now() - health.startedAt)],
      ['sessions', `${plural(health.live, 'live session')}, ${health.queued} waiting`],
      ['data', health.dataDir],
    ]
    output.result({ running: true, url, ...health }, details(rows, output.paint(), output.width))
    return 0
  },
})
