import { closeSync, readFileSync } from 'node:fs'
import type { HiddenOptions, LaunchSecrets } from '../contract/launch.ts'
import { runLaunch } from './runner.ts'

// The process that owns one launch: `node main.js <launchDir>`, its secrets on stdin. It closes file descriptor 3 when
// it listens. Whatever it throws is in runner.log, and the guard ends the agent.
const READY = 3

const launchDir = process.argv[2]
if (launchDir === undefined) throw new Error('Usage: main.js <launch directory>')
const { hidden = {}, ...secrets }: LaunchSecrets & { hidden?: HiddenOptions } = JSON.parse(
  readFileSync(0, 'utf8') || '{}',
)
const { version }: { version: string } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
)

await runLaunch({ launchDir, secrets, hidden, version, onReady: () => closeSync(READY) })
process.exit(0)
