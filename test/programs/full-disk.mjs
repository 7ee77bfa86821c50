// Runs a launch on a disk that is too small for it and tells what came of it: full-disk.mjs <runner entry> <disk> <prompt>
import { readFileSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

const [entry, disk, prompt, home] = process.argv.slice(2)
const runner = await import(entry)
const launchId = '01ARZ3NDEKTSV4RRFFQ69G5FAV'
const launchDir = join(disk, launchId)
const identity = { format: 1, launchId, sessionId: 's1', launch: 1, agent: 'claude', createdAt: Date.now() }
await runner.createLaunch(launchDir, { ...identity, mode: 'headless', options: { prompt, cwd: home, runId: launchId } })
await runner.startRunner(launchDir, {}, process.env)
let state = await runner.runnerState(launchDir)
for (let tries = 0; tries < 1000 && state.state === 'alive'; tries++) {
  await sleep(20)
  state = await runner.runnerState(launchDir)
}
const { bavail, bsize } = statfsSync(disk)
const left = bavail * bsize
const result = state.state === 'ended' ? state.result : null
const read = (name) => readFileSync(join(launchDir, name), 'utf8')
console.log(
  JSON.stringify({
    state: state.state,
    result,
    left,
    native: read('native.ndjson'),
    events: read('events.ndjson'),
    log: read('runner.log'),
  }),
)
