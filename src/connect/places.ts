import { resolve } from 'node:path'
import { dataDirectory } from '../files/data-dir.ts'
import { findLocations } from '../mux/defaults.ts'

/** Where the daemon of this user keeps its state, and where its settings are. */
export interface DaemonPlaces {
  dataDir: string
  configDir: string
}

export function placesOf(given: { configDir?: string | undefined; dataDir?: string | undefined } = {}): DaemonPlaces {
  const own = given.configDir && resolve(given.configDir)
  const { configDir } = findLocations({ configDir: own }, process.env, process.cwd())
  return { configDir, dataDir: resolve(given.dataDir ?? dataDirectory(configDir, process.env)) }
}
