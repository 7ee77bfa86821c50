import { type DaemonPlaces, placesOf } from '../../connect/places.ts'
import type { GlobalValues } from '../command.ts'

export type { DaemonPlaces } from '../../connect/places.ts'

export function daemonPlaces(flags: GlobalValues): DaemonPlaces {
  return placesOf({ configDir: flags['config-dir'] })
}
