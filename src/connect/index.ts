/**
 * The daemon of this user, found or started. Node only; `agent-mux/client` runs in browsers, too.
 * @module
 */
import type { ConnectOptions, DaemonClient } from '../client/index.ts'
import { findOrStart } from './find.ts'
import { placesOf } from './places.ts'

export type { ConnectOptions, DaemonClient } from '../client/index.ts'

/** A client of the daemon that serves this user; starts one in the background when none does. */
export async function connectDaemon(options: ConnectOptions = {}): Promise<DaemonClient> {
  return findOrStart(placesOf(options), options.onNote ?? (() => {}))
}
