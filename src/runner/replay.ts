import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { AgentAdapter } from '../contract/adapter.ts'
import { AgentMuxError } from '../contract/errors.ts'
import type { AgentEvent } from '../contract/events.ts'
import { LAUNCH_FILES, type LaunchSpec } from '../contract/launch.ts'
import type { RunResult } from '../contract/run-handle.ts'
import { Rederivation } from '../engine/rederive.ts'
import { readSpec } from './launch-files.ts'
import { readHeader, readInputs } from './native-log.ts'

export interface ReplayRequest {
  launchDir: string
  loadAdapter: (agent: string) => Promise<AgentAdapter>
  /** The next events; more are made when it has resolved. */
  onEvents: (events: AgentEvent[]) => Promise<void>
  /** Keep the native line of every event. */
  debug?: boolean
}

/** Reads a launch again with today's adapter, from what its agent really said. Null: it has not ended yet. */
export async function replayLaunch({
  launchDir,
  loadAdapter,
  onEvents,
  debug,
}: ReplayRequest): Promise<RunResult | null> {
  const path = join(launchDir, LAUNCH_FILES.native)
  const header = await readHeader(path)
  if (!header) {
    throw new AgentMuxError('SESSION_NOT_FOUND', `There is no log of an agent in ${launchDir}`, {
      hint: 'Only sessions that the daemon has started without a terminal can be replayed.',
    })
  }
  const { runId, options } = header
  const adapter = await loadAdapter(header.agent)
  let events: AgentEvent[] = []
  const rederivation = new Rederivation({
    ...{ runId, adapter, options: { ...options, debug: debug ?? options.debug }, judgesAgain: true },
    onEvent: (event) => events.push(event),
  })
  for await (const { inputs, nested } of readInputs(path)) {
    rederivation.take(inputs, nested)
    await onEvents(events)
    events = []
  }
  return rederivation.result()
}

export interface FoundLaunch {
  launchDir: string
  spec: LaunchSpec
}

/** The launches of a session, by its id or the beginning of it; or the one launch of that id. Oldest first. */
export async function findLaunches(dataDir: string, id: string): Promise<FoundLaunch[]> {
  const directory = join(dataDir, 'launches')
  const names = await readdir(directory).catch(() => [])
  const found: FoundLaunch[] = []
  for (const name of names) {
    const launchDir = join(directory, name)
    const spec = await readSpec(launchDir).catch(() => null) // one that is being made, or not ours
    if (spec && (spec.sessionId.startsWith(id) || spec.launchId === id)) found.push({ launchDir, spec })
  }
  return found.toSorted((a, b) => a.spec.launch - b.spec.launch)
}
