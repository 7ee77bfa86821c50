import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { AgentMuxError } from '../../contract/errors.ts'
import { serializeEvent } from '../../contract/event-guards.ts'
import { LAUNCH_FILES } from '../../contract/launch.ts'
import { findLaunches, replayLaunch } from '../../runner/replay.ts'
import { readManagedLinks } from '../../sessions/managed-links.ts'
import { defineCommand, refuseExtra, usageError } from '../command.ts'
import { daemonPlaces } from '../daemon/places.ts'
import { sessionArgument } from '../daemon/session-argument.ts'

const usage = 'replay SESSION'

export const command = defineCommand({
  usage,
  about: `
Interprets again, with the adapters of this version, what the agent of a session really said, and prints one event a
line and a last line of type "run_result". SESSION is a name or an id as \`amux ls\` shows it, or the directory of a launch.
Nothing is started and nothing is changed.`,
  flags: {
    launch: { type: 'string', value: 'N', about: 'Which launch of the session (default: the last one)' },
  },
  examples: ['amux replay k3v9', 'amux replay k3v9 --launch 1', 'amux replay ~/.agent-mux/data/launches/01KA…'],
  async run({ args, flags }, { output, client }) {
    const { id } = sessionArgument(args, usage)
    refuseExtra(args, 1)
    const launchDir = isLaunch(id) ? resolve(id) : await findLaunch(id, flags.launch, daemonPlaces(flags).dataDir)
    const { adapters } = await client(flags)
    const result = await replayLaunch({
      ...{ launchDir, debug: flags.debug, loadAdapter: (agent) => adapters.load(agent) },
      onEvents: async (events) => {
        for (const event of events) await output.writeLine(serializeEvent(event))
      },
    })
    if (result) await output.writeLine(JSON.stringify({ type: 'run_result', ...result }))
    return 0
  },
})

function isLaunch(path: string): boolean {
  return existsSync(join(path, LAUNCH_FILES.spec))
}

async function findLaunch(given: string, number: string | undefined, dataDir: string): Promise<string> {
  const id = (await readManagedLinks(dataDir, (agent) => agent)).idOf(given) ?? given
  const launches = await findLaunches(dataDir, id)
  const sessions = new Set(launches.map(({ spec }) => spec.sessionId))
  if (sessions.size > 1) throw usageError(`"${id}" is the beginning of several sessions: ${[...sessions].join(', ')}`)
  const found = launches.findLast(({ spec }) => number === undefined || spec.launch === Number(number))
  if (found) return found.launchDir
  const which = number === undefined ? given : `${given} with a launch ${number}`
  throw new AgentMuxError('SESSION_NOT_FOUND', `There is no session ${which}`, { hint: '`amux ls` lists them.' })
}
