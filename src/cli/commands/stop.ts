import { defineCommand, refuseExtra } from '../command.ts'
import { findDaemon, stopDaemon } from '../daemon/connect.ts'
import { daemonPlaces } from '../daemon/places.ts'
import { plural } from '../text.ts'

export const command = defineCommand({
  usage: 'stop',
  about: 'Ends the daemon. Agents go on; the next daemon takes them up again. `amux kill --all` ends them.',
  flags: {},
  examples: ['amux stop'],
  async run({ args, flags }, { output }) {
    refuseExtra(args, 0)
    const places = daemonPlaces(flags)
    const found = await findDaemon(places)
    if (found === null) {
      output.result({ stopped: false }, 'The daemon does not run.')
      return 0
    }
    await stopDaemon(found.client, places)
    const { live } = found.health
    const goOn = live === 0 ? '' : ` ${plural(live, 'agent')} ${live === 1 ? 'goes' : 'go'} on without it.`
    output.result({ stopped: true, live }, `The daemon has ended.${goOn}`)
    return 0
  },
})
