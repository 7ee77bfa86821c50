import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { RunnerModule } from '../contract/launch.ts'
import { nullWhenMissing } from '../files/atomic-write.ts'
import { createClientIn } from '../mux/client.ts'
import { ChangeFeed } from './change-feed.ts'
import type { Endpoints } from './http/endpoint.ts'
import type { Log } from './log.ts'
import { Recorder } from './recorder.ts'
import { agentEndpoints } from './routes/agents.ts'
import { recordEndpoints } from './routes/records.ts'
import { sessionEndpoints } from './routes/sessions.ts'
import { transcriptEndpoints } from './routes/transcripts.ts'
import { Launcher } from './sessions/launcher.ts'
import { Restorer } from './sessions/restore.ts'
import { Sessions } from './sessions/sessions.ts'
import type { DaemonSettings } from './settings.ts'
import type { Store } from './store/store.ts'

export interface ServicesOptions {
  store: Store
  settings: DaemonSettings
  runner: RunnerModule
  dataDir: string
  configDir: string
  env: NodeJS.ProcessEnv
  log: Log
}

/** The parts of the daemon, put together. What they do to the outside world begins with `launcher.resume()`. */
export function createServices({ store, settings, runner, dataDir, configDir, env, log }: ServicesOptions) {
  const mux = (environment: NodeJS.ProcessEnv) => createClientIn(environment, { configDir })
  const feed = new ChangeFeed(store.changes)
  const recorder = new Recorder(store, feed)
  const { maxLive, dailyBudgetUsd } = settings
  const launcher = new Launcher({
    ...{ store, recorder, runner, dataDir, log, maxLive, dailyBudgetUsd, env },
    onEnded: () => {},
  })
  const forgetLaunches = (sessionId: string) => removeLaunches(join(dataDir, 'launches'), sessionId)
  const sessions = new Sessions({ store, recorder, launcher, dataDir, env, mux, forgetLaunches })
  const own = mux(env)
  const resumable = async (agent: string, id: string, environment: NodeJS.ProcessEnv) => {
    const { sessions: conversations } = mux(environment)
    return conversations.resumable(agent, id).finally(() => conversations.close())
  }
  const restorer = new Restorer({ store, recorder, launcher, sessions, env, mux, resumable })
  const endpoints: Omit<Endpoints, 'health' | 'shutdown'> = {
    ...sessionEndpoints(sessions, restorer),
    ...recordEndpoints(store, sessions),
    ...transcriptEndpoints(own.sessions),
    ...agentEndpoints(own),
  }
  return { feed, launcher, sessions, endpoints }
}

async function removeLaunches(directory: string, sessionId: string): Promise<void> {
  const names = (await readdir(directory).catch(nullWhenMissing)) ?? []
  const own = names.filter((name) => name.startsWith(`${sessionId}-`))
  await Promise.all(own.map((name) => rm(join(directory, name), { recursive: true, force: true })))
}
