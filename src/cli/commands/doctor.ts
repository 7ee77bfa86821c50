import type { Leftover } from '../../contract/api/leftover.ts'
import { defineCommand, refuseExtra } from '../command.ts'
import { findDaemon } from '../daemon/connect.ts'
import { type DaemonPlaces, daemonPlaces } from '../daemon/places.ts'
import { plural } from '../text.ts'

export const command = defineCommand({
  usage: 'doctor',
  about: `
What is left behind: worktrees and refs of sessions that are gone, runners and launches that no session knows, a
registration that outlived its daemon, hooks that wait. Only looks, and needs no daemon. Exits with 1 when it finds
something.`,
  flags: {},
  examples: ['amux doctor', 'amux doctor --json'],
  async run({ args, flags }, { output }) {
    refuseExtra(args, 0)
    const places = daemonPlaces(flags)
    const found = await findDaemon(places)
    const cwd = process.cwd()
    const leftovers = found ? await found.client.call('leftovers', { cwd }) : await withoutDaemon(places, cwd)
    const paint = output.paint()
    const lines = leftovers.map(({ kind, path, why, next }) =>
      [`${paint('bold', kind)} ${path}`, `  ${why}`, paint('dim', `  next: ${next}`)].join('\n'),
    )
    const count = leftovers.length
    const text = count === 0 ? 'Nothing is left behind.' : `${lines.join('\n')}\n\n${plural(count, 'leftover')}.`
    output.result({ daemon: found !== null, leftovers }, text)
    return count === 0 ? 0 : 1
  },
})

async function withoutDaemon({ dataDir }: DaemonPlaces, cwd: string): Promise<Leftover[]> {
  const [{ findLeftovers }, { readSessions }, { runnerState }] = await Promise.all([
    import('../../daemon/leftovers.ts'),
    import('../../daemon/store/read-sessions.ts'),
    import('../../runner/index.ts'),
  ])
  return findLeftovers({ dataDir, cwd, runnerState, sessions: await readSessions(dataDir) })
}
