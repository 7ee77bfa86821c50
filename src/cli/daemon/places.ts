import { resolve } from 'node:path'
import { dataDirectory } from '../../files/data-dir.ts'
import { findLocations } from '../../mux/defaults.ts'
import type { GlobalValues } from '../command.ts'

/** Where the daemon of this user keeps its state, and where its settings are. */
export interface DaemonPlaces {
  dataDir: string
  configDir: string
}

export function daemonPlaces(flags: GlobalValues): DaemonPlaces {
  const given = flags['config-dir']
  const configDir = findLocations({ configDir: given && resolve(given) }, process.env, process.cwd()).configDir
  return { configDir, dataDir: resolve(dataDirectory(configDir, process.env)) }
}
