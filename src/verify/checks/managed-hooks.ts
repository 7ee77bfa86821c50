import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { subjects } from '../../adapters/subjects.ts'
import type { ManagedSession } from '../../client/index.ts'
import { callbackPath, ensureCallback, hookEnvironment } from '../../hooks/callback.ts'
import { installHooks } from '../../hooks/install.ts'
import { hookContext } from '../../hooks/launch.ts'
import { spoolDirectory } from '../../hooks/spool.ts'
import { type Bench, type Check, must } from '../check.ts'
import type { ManagedBench } from '../managed-bench.ts'
import { mustHaveTitle, withDaemon } from '../managed-steps.ts'
import { yields } from './hooks.ts'

const GREETING = 'Hello from the scripted model.'
const OVER: ReadonlySet<string> = new Set(['idle', 'exited'])
const HOOK_MS = 20_000

/** In a terminal, where only hooks and the screen tell what an agent does; without one, beside its stream. */
async function start(bench: Bench, managed: ManagedBench): Promise<ManagedSession> {
  const { adapter, agent, cwd, home, capabilities } = bench
  const { dataDir } = managed.daemon
  const mode = capabilities.supportsTerminal ? 'terminal' : 'headless'
  const context = hookContext(dataDir, cwd, { HOME: home })
  const { launch, user: installation } = adapter.planHooks?.(context) ?? {}
  // A terminal brings its hooks along where the CLI can; all others are installed.
  if (mode === 'headless' || launch === undefined || yields(bench, launch)) {
    must(installation !== undefined, 'its hooks cannot be installed')
    await ensureCallback(dataDir)
    await installHooks({ owner: { agent, scope: 'user' }, installation, dataDir })
  }
  if (mode === 'headless') return managed.daemon.spawn({ prompt: 'first words', options: { approvalMode: 'yolo' } })
  bench.writeScreenFiles()
  return managed.daemon.spawn({ prompt: 'first words', mode })
}

interface Seen {
  source: string
  state: string
}

function isSeen(value: unknown): value is Seen {
  return typeof value === 'object' && value !== null && 'source' in value && 'state' in value
}

/** What the hooks have reported last; the one of the end may come in a moment after the stream has reported it. */
async function byHooks(managed: ManagedBench, id: string): Promise<string> {
  let state = 'nothing'
  for (const deadline = Date.now() + HOOK_MS; !OVER.has(state) && Date.now() < deadline; await sleep(100)) {
    const { evidence } = await managed.client.call('activity', { id })
    state = evidence.filter(isSeen).find(({ source }) => source === 'hook')?.state ?? state
  }
  return state
}

/** A hook of another agent in the same session: some agents run the hooks of others, too. */
async function mustIgnoreOthers(bench: Bench, managed: ManagedBench, id: string): Promise<void> {
  const { dataDir } = managed.daemon
  const before = await managed.client.call('getSession', { id })
  const other = bench.agent === 'claude' ? 'qwen' : 'claude'
  spawnSync(callbackPath(dataDir), [other, 'UserPromptSubmit'], {
    env: { PATH: process.env.PATH ?? '', ...hookEnvironment(id, before.launch, dataDir) },
    input: JSON.stringify({ session_id: 'of-another-agent', prompt: 'foreign words', transcript_path: '/foreign' }),
    timeout: 10_000,
  })
  for (let tries = 0; tries < 100 && readdirSync(spoolDirectory(dataDir)).length > 0; tries++) await sleep(100)
  const after = await managed.client.call('getSession', { id })
  must(after.agentSessionId === before.agentSessionId, 'a hook of another agent has named the session')
  must(after.activity.state === before.activity.state, `a hook of another agent has made it ${after.activity.state}`)
}

export const managedHooks: readonly Check[] = [
  {
    name: 'managed-hooks',
    title: 'its hooks reach the daemon and tell what its session does',
    scenario: 'text',
    // One that runs hooks only as its user starts it runs none below the daemon. And of the two forms of OpenCode only
    // the first installs hooks, for both are one program.
    applies: (c) =>
      c.runtimeHooks !== undefined && subjects[c.agent]?.ownForm === undefined && c.agent !== 'opencode-http',
    run: (bench) =>
      withDaemon(bench, async (managed) => {
        const { id, mode } = await start(bench, managed)
        const isDone = ({ activity, summary }: ManagedSession) => OVER.has(activity.state) && summary !== null
        const done = await managed.until(id, 'done', isDone)
        const reported = await byHooks(managed, id)
        must(OVER.has(reported), `its hooks say ${reported}`)
        if (mode === 'terminal') {
          const sources = managed.sources(id)
          must(sources.includes('hook'), `its activity rests on ${sources.join(', ')}`)
          mustHaveTitle(done)
        }
        must(done.summary?.includes(GREETING) ?? false, `the summary is ${done.summary}`)
        must(done.agentSessionId !== null, 'no session id of the agent')
        await mustIgnoreOthers(bench, managed, id)
      }),
  },
  {
    name: 'managed-transcript',
    title: 'without hooks, its transcript tells what its terminal does',
    scenario: 'text',
    applies: (c) => c.supportsTerminal === true && c.sessionPersistence !== 'none',
    run: (bench) =>
      withDaemon(bench, async (managed) => {
        bench.writeScreenFiles()
        // Hooks leave at once when they do not know the session.
        const options = { env: { ...managed.daemon.secrets.env, AMUX_SESSION_ID: '' } }
        const { id } = await managed.daemon.spawn({ prompt: 'first words', mode: 'terminal', options })
        // That it is idle its screen may say as well, earlier or later. The rest comes from the transcript alone.
        const isNotified = ({ activity, summary, title, agentSessionId, usage }: ManagedSession) =>
          activity.state === 'idle' && ![summary, title, agentSessionId].includes(null) && usage.turns > 0
        const done = await managed.until(id, 'done by its transcript', isNotified)
        must(!managed.sources(id).includes('hook'), 'a hook reported it')
        mustHaveTitle(done)
        must(done.summary?.includes(GREETING) ?? false, `the summary is ${done.summary}`)
        must(done.usage.turns === 1, `${done.usage.turns} turns were counted`)
      }),
  },
]
