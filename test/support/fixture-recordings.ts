import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

const adapters = join(import.meta.dirname, '..', '..', 'src', 'adapters')

function directories(path: string): string[] {
  return existsSync(path) ? readdirSync(path).filter((name) => statSync(join(path, name)).isDirectory()) : []
}

export interface FixtureRecording {
  agent: string
  /** `<agent>/fixtures/<cli version>/<scenario>` */
  name: string
  directory: string
}

/** What the real CLIs once printed, of all agents. */
export const fixtureRecordings: readonly FixtureRecording[] = directories(adapters).flatMap((agent) =>
  directories(join(adapters, agent, 'fixtures')).flatMap((version) =>
    directories(join(adapters, agent, 'fixtures', version)).flatMap((scenario): FixtureRecording[] => {
      const name = join(agent, 'fixtures', version, scenario)
      const directory = join(adapters, name)
      return existsSync(join(directory, 'meta.json')) ? [{ agent, name, directory }] : []
    }),
  ),
)
