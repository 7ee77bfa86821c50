import { closeSync, readFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { isAgentMuxError } from '../contract/errors.ts'
import type { HiddenOptions, LaunchSecrets } from '../contract/launch.ts'
import { runLaunch } from './runner.ts'

// The process that owns one launch: `node main.js <launchDir>`, its secrets on stdin. It closes file descriptor 3 when
// it listens. Whatever it throws is in runner.log, and the guard ends the agent.
const READY = 3

// A run leaves much garbage and keeps little: without this the heap of one long turn grows to several times what it holds
// (measured: 143 MB instead of 71 MB).
setFlagsFromString('--heap-growing-percent=15')

const launchDir = process.argv[2]
if (launchDir === undefined) throw new Error('Usage: main.js <launch directory>')
const given = readFileSync(0, 'utf8')
// Who started this runner has died before it could say all: without its secrets the agent must not start.
if (given === '') throw new Error('The daemon ended before it had handed over the launch')
const { hidden = {}, ...secrets }: LaunchSecrets & { hidden?: HiddenOptions } = JSON.parse(given)
const { version }: { version: string } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
)

runLaunch({ launchDir, secrets, hidden, version, onReady: () => closeSync(READY) }).then(
  () => process.exit(0),
  (error: unknown) => {
    if (!isAgentMuxError(error)) throw error
    // A reason for people: the daemon shows the last lines of this as why the launch failed.
    console.error([error.message, error.hint].filter(Boolean).join('\n'))
    process.exit(1)
  },
)
