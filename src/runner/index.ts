/** What the daemon needs of the runner: everything but the runner process itself. */
export { cancelLaunch } from './cancel.ts'
export { connectRunner } from './control-client.ts'
export { endLaunch } from './end-launch.ts'
export { createLaunch, readSpec } from './launch-files.ts'
export { readRecords } from './read-records.ts'
export { recoverEvents } from './recover.ts'
export { startRunner } from './start.ts'
export { runnerState } from './state.ts'
