import type { DaemonClient } from '../../client/index.ts'
import { findOrStart } from '../../connect/find.ts'
import type { CommandContext, GlobalValues } from '../command.ts'
import { daemonPlaces } from './places.ts'

export { findDaemon, stopDaemon } from '../../connect/find.ts'

/** The daemon of this user, started if need be. */
export function connectDaemon(flags: GlobalValues, { output }: CommandContext): Promise<DaemonClient> {
  return findOrStart(daemonPlaces(flags), (text) => output.note(text))
}
