// Uses the library as a program would, and tells on fd 3 what that changed: silent-user.mjs <entry> <agent program>
import { writeSync } from 'node:fs'

const [entry, program] = process.argv.slice(2)
const EVENTS = [
  'SIGINT',
  'SIGTERM',
  'SIGHUP',
  'uncaughtException',
  'unhandledRejection',
  'exit',
  'beforeExit',
  'warning',
]
const count = () => Object.fromEntries(EVENTS.map((event) => [event, process.listenerCount(event)]))

const before = count()
const { createClient } = await import(entry)
const mux = createClient({ configDir: process.cwd(), projectConfigDir: process.cwd() })
const flags = mux.adapters.capabilities('codex')
const nothing = async () => ({})
mux.adapters.register({
  ...{
    agent: 'fake',
    displayName: 'Fake',
    cliCommand: 'fake',
    models: [],
    capabilities: { ...flags, agent: 'fake', supportsPlugins: false },
  },
  configSchema: { agent: 'fake', fields: [], configFilePaths: [], projectConfigFilePaths: [] },
  buildSpawnArgs: () => ({
    command: process.execPath,
    args: [program, '["a"]'],
    env: {},
    cwd: process.cwd(),
    usePty: false,
  }),
  parseEvent: (line) => ({ type: 'message_stop', text: line }),
  ...{ detectAuth: nothing, getAuthGuidance: nothing, sessionDir: () => '', parseSessionFile: nothing },
  ...{ listSessionFiles: async () => [], readConfig: nothing, writeConfig: nothing },
})
const handle = mux.run({ agent: 'fake', prompt: 'x' })
const during = count()
const { text, outcome } = await handle
const timers = process.getActiveResourcesInfo().filter((name) => name === 'Timeout')
writeSync(3, JSON.stringify({ before, during, after: count(), text, outcome, timers }))
