import { existsSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { RunnerModule } from '../contract/launch.ts'
import { nullWhenMissing } from '../files/atomic-write.ts'
import { hookEnvironment } from '../hooks/callback.ts'
import { hookContext, prepareLaunch } from '../hooks/launch.ts'
import { type SpoolWatch, spoolDirectory, watchSpool } from '../hooks/spool.ts'
import { createClientIn } from '../mux/client.ts'
import { Confidences } from '../secrets/confidences.ts'
import { ChangeFeed } from './change-feed.ts'
import { hookIntake } from './hook-intake.ts'
import type { Endpoints } from './http/endpoint.ts'
import { endpoint } from './http/endpoint.ts'
import { findLeftovers } from './leftovers.ts'
import type { Log } from './log.ts'
import { Notifier } from './notify/notifier.ts'
import { Recorder } from './recorder.ts'
import { Retention } from './retention.ts'
import { agentEndpoints } from './routes/agents.ts'
import { recordEndpoints } from './routes/records.ts'
import { sessionEndpoints } from './routes/sessions.ts'
import { transcriptEndpoints } from './routes/transcripts.ts'
import { accountOf } from './sessions/account.ts'
import { adapterActivity, adapterPlan } from './sessions/adapter-plan.ts'
import { AfterLimit } from './sessions/after-limit.ts'
import { DailyBudget } from './sessions/daily-budget.ts'
import { Launcher } from './sessions/launcher.ts'
import { NO_LIMITS } from './sessions/limit.ts'
import { OwnTitle } from './sessions/own-title.ts'
import type { SessionRecord } from './sessions/record.ts'
import { Restorer } from './sessions/restore.ts'
import { Restoring } from './sessions/restoring.ts'
import { Sessions } from './sessions/sessions.ts'
import { TranscriptPath } from './sessions/transcript-path.ts'
import { Transcripts } from './sessions/transcripts.ts'
import { TurnWatch } from './sessions/turn-watch.ts'
import type { DaemonSettings } from './settings.ts'
import type { Parking } from './store/parked.ts'
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

/** The parts of the daemon, put together. What they do to the outside world begins with `resume`. */
export function createServices({ store, settings, runner, dataDir, configDir, env, log }: ServicesOptions) {
  const mux = (environment: NodeJS.ProcessEnv) => createClientIn(environment, { configDir })
  const own = mux(env)
  const feed = new ChangeFeed(store.changes)
  const notifier = new Notifier(settings.notify, env, log)
  const confidences = new Confidences(env)
  const recorder = new Recorder(
    store,
    feed,
    (sessionId, text) => confidences.redact(sessionId, text),
    (notification) => notifier.notify(notification),
  )
  const { maxLive, dailyBudgetUsd, maxLogBytes } = settings
  const budget = new DailyBudget(store.usage, dailyBudgetUsd)
  const launcher = new Launcher({
    ...{ store, recorder, runner, dataDir, log, maxLive, maxLogBytes, budget, confidences, env },
    accountOf: async ({ agent, options }, { secrets, env: variables }) => {
      const { manifest } = await own.adapters.load(agent)
      const { profile, cwd } = options
      const endpoint = secrets.endpoint ?? mux(variables).defaults({ cwd, profile }).endpoint
      return accountOf({ manifest, profile, secrets: { ...secrets, endpoint }, env: variables, salt: store.about.salt })
    },
    hooksOf: async ({ agent, sessionId, launch, options, mode }, environment) => {
      // The stream of a headless agent reports everything, so installed hooks are enough.
      if (mode === 'headless') return { args: [], env: hookEnvironment(sessionId, launch, dataDir) }
      const context = hookContext(dataDir, options.cwd ?? '/', environment)
      const {
        args,
        onceFlag,
        env: variables,
      } = await prepareLaunch(await own.adapters.load(agent), context, {
        sessionId,
        launch,
      })
      return { args, onceFlag, env: variables }
    },
    onTaken: (session) => {
      afterLimit.consider(session)
      learn(session)
    },
  })
  const turnWatch = new TurnWatch({ store, recorder })
  const forgetLaunches = (sessionId: string) => removeLaunches(join(dataDir, 'launches'), sessionId)
  const restoring = new Restoring()
  const sessions = new Sessions({ store, recorder, launcher, budget, restoring, dataDir, env, mux, forgetLaunches })
  const resumable = async (agent: string, id: string, environment: NodeJS.ProcessEnv) => {
    const { sessions: conversations } = mux(environment)
    return conversations.resumable(agent, id).finally(() => conversations.close())
  }
  const restorer = new Restorer({
    ...{ store, recorder, launcher, budget, sessions, restoring, env, mux, resumable },
    adapterPlan: (agent, reference, environment) => adapterPlan(mux(environment).adapters, agent, reference),
  })
  const { resumeAfterLimit } = settings
  const afterLimit = new AfterLimit({ store, recorder, resumeAfterLimit, sessions, restorer, log })
  const transcriptPath = new TranscriptPath({
    ...{ store, recorder, log },
    locate: async ({ id, agent }, agentSessionId) => {
      const { sessions: conversations } = mux(launcher.environmentOf(id))
      return conversations.locate(agent, agentSessionId).finally(() => conversations.close())
    },
  })
  const ownTitle = new OwnTitle({
    ...{ store, recorder, log },
    read: async ({ id, agent }, agentSessionId) => {
      const { sessions: conversations } = mux(launcher.environmentOf(id))
      return conversations.get(agent, agentSessionId).finally(() => conversations.close())
    },
  })
  const transcripts = new Transcripts({
    ...{ store, recorder, log },
    onTaken: (session) => turnWatch.consider(session),
    conversations: (id) => mux(launcher.environmentOf(id)).sessions,
    activityOf: ({ id, agent }) => adapterActivity(mux(launcher.environmentOf(id)).adapters, agent),
    hasDailyBudget: dailyBudgetUsd !== undefined,
    onSpent: () => launcher.enforceBudget(),
  })
  /** What the agent has written down itself. */
  const learn = (session: SessionRecord) => {
    if (!existsSync(dataDir)) return // reading would make the index of conversations in it, and so the directory
    transcriptPath.consider(session)
    ownTitle.consider(session)
    transcripts.consider(session)
    turnWatch.consider(session)
  }
  /** What waits for the end of a limit goes on now. */
  const unpark = (parked: readonly Parking[]) => {
    const now = Date.now()
    const isMeant = ({ agent, account, limit }: SessionRecord) =>
      limit !== null && parked.some((one) => one.agent === agent && one.account.id === account?.id)
    const stopped = store.sessions.list().filter(isMeant)
    const freed = stopped.map((one) => ({
      ...one,
      ...NO_LIMITS,
      limit: one.limit && { ...one.limit, until: now },
    }))
    recorder.commit((writer) => {
      for (const one of parked) store.parked.delete(one)
      freed.forEach(writer.session)
    })
    for (const session of freed) afterLimit.reconsider(session)
    launcher.admit()
  }
  const endpoints: Omit<Endpoints, 'health' | 'shutdown'> = {
    ...sessionEndpoints(sessions, restorer),
    ...recordEndpoints(store, sessions, own, unpark),
    ...transcriptEndpoints(own.sessions),
    ...agentEndpoints(own),
    leftovers: endpoint('leftovers', ({ cwd }) =>
      findLeftovers({ dataDir, cwd, sessions: store.sessions.list(), runnerState: runner.runnerState }),
    ),
  }
  const retention = new Retention(store, settings.keepChanges, log)
  let spool: SpoolWatch | null = null
  return {
    ...{ feed, launcher, sessions, endpoints },
    /** Takes up what an earlier daemon has left. */
    async resume(): Promise<void> {
      const trouble = (err: unknown) => log.warn({ err }, 'taking in hooks')
      spool = watchSpool(
        spoolDirectory(dataDir),
        hookIntake({ store, recorder, mux: own, log, onTaken: learn }),
        trouble,
      )
      retention.start()
      afterLimit.resume()
      await launcher.resume()
      transcripts.resume()
      turnWatch.resume()
    },
    /** Lets go of everything; agents go on. */
    async stop(): Promise<void> {
      retention.stop()
      launcher.stop()
      afterLimit.stop()
      transcripts.stop()
      turnWatch.stop()
      await spool?.close()
      own.sessions.close()
    },
  }
}

async function removeLaunches(directory: string, sessionId: string): Promise<void> {
  const names = (await readdir(directory).catch(nullWhenMissing)) ?? []
  const own = names.filter((name) => name.startsWith(`${sessionId}-`))
  await Promise.all(own.map((name) => rm(join(directory, name), { recursive: true, force: true })))
}
