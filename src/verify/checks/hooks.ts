import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { HookInstallation, HookPlan, LaunchHooks, SessionMetadata } from '../../contract/hooks.ts'
import { addFact, judge, noEvidence } from '../../core/evidence.ts'
import { mergeMetadata } from '../../core/session-metadata.ts'
import { hookEnvironment } from '../../hooks/callback.ts'
import { installHooks, stateOf, uninstallHooks } from '../../hooks/install.ts'
import { hookContext, prepareLaunch, withAdditions } from '../../hooks/launch.ts'
import { drainSpool, spoolDirectory } from '../../hooks/spool.ts'
import { type Bench, type Check, must, mustEnd } from '../check.ts'

const SESSION = 'verify-session'

/** What the hooks of one run have reported, in their order. */
interface Heard {
  states: string[]
  metadata: SessionMetadata
}

function dataDirectory({ home }: Bench): string {
  return join(home, '.agent-mux', 'data with a space')
}

function contextOf(bench: Bench) {
  return hookContext(dataDirectory(bench), bench.cwd, { HOME: bench.home })
}

function planOf(bench: Bench): HookPlan {
  const plan = bench.adapter.planHooks?.(contextOf(bench))
  must(plan !== undefined, 'it has no plan for its hooks')
  return plan
}

async function hear(bench: Bench): Promise<Heard> {
  const { adapter, agent } = bench
  const states: string[] = []
  let metadata: SessionMetadata = {}
  let evidence = noEvidence(1)
  await drainSpool(spoolDirectory(dataDirectory(bench)), ({ event, payload, at, launch, sessionId, adapter: from }) => {
    must(sessionId === SESSION && launch === 1 && from === agent, `a hook of ${from}, ${sessionId}, launch ${launch}`)
    const reading = adapter.readHook?.(event, payload)
    if (reading?.evidence) evidence = addFact(evidence, { ...reading.evidence, source: 'hook', at, launch })
    states.push(judge(evidence).state)
    metadata = mergeMetadata(metadata, reading?.metadata ?? {})
  })
  must(!existsSync(join(spoolDirectory(dataDirectory(bench)), 'torn')), 'a payload was not whole')
  return { states, metadata }
}

/**
 * Runs the agent through a turn with a tool and returns its session's id, where that is reported. In the one-shot form,
 * which is next to what a user starts: over ACP the hooks of Gemini 0.61 name another session.
 */
async function turn(bench: Bench, env: Record<string, string>): Promise<string | null> {
  if (!bench.ownForm) {
    const run = await bench.run({ approvalMode: 'yolo', nonInteractive: true, env })
    mustEnd(run, 'completed')
    return run.result.sessionId
  }
  const { stdout, stderr } = await bench.ownForm.run(env)
  must(stdout.includes('The command has run.'), `it did not answer: ${stderr.slice(-300)}`)
  return null
}

function mustHear(bench: Bench, { states, metadata }: Heard, sessionId: string | null): void {
  must(states.length > 0, 'no hook has come in')
  must(states.includes('active'), `never active, but ${states.join(', ')}`)
  must(['idle', 'exited'].includes(states.at(-1) ?? ''), `at its end the session is ${states.at(-1)}`)
  const { agentSessionId, title, summary } = metadata
  must(agentSessionId !== undefined, 'no session id')
  must(!sessionId || agentSessionId === sessionId, `the session id is ${agentSessionId}, not ${sessionId}`)
  if (bench.hooksTell('title')) must(title === 'Please do what the script says.', `the title is ${title}`)
  if (bench.hooksTell('summary')) must(summary?.includes('The command has run.') ?? false, `the summary is ${summary}`)
}

/** Whether the flag of its hooks is taken by the endpoint of the check. */
export function yields({ adapter, endpoint }: Bench, { onceFlag }: LaunchHooks): boolean {
  return onceFlag !== undefined && (adapter.endpointOverride?.(endpoint).args.includes(onceFlag) ?? false)
}

function requestFor(bench: Bench, installation: HookInstallation) {
  return { owner: { agent: bench.agent, scope: 'user' as const }, installation, dataDir: dataDirectory(bench) }
}

/** What is in the files that an installation touches; null for those that are not there. */
function contents({ files }: HookInstallation): (string | null)[] {
  return files.map(({ path }) => (existsSync(path) ? readFileSync(path, 'utf8') : null))
}

/** A user's file with a form of his own, where there is none yet. */
function plantOddFiles({ files }: HookInstallation): void {
  for (const file of files) {
    if (file.kind !== 'shared' || file.format !== 'json' || existsSync(file.path)) continue
    mkdirSync(dirname(file.path), { recursive: true })
    writeFileSync(file.path, '{\r\n\t"hooks" :  { }\r\n}')
  }
}

export const hooks: readonly Check[] = [
  {
    name: 'hooks',
    title: 'hooks tell of activity and session',
    scenario: 'tool',
    applies: (c) => c.runtimeHooks !== undefined,
    async run(bench) {
      const { launch, user } = planOf(bench)
      const ours = { sessionId: SESSION, launch: 1 }
      const additions = await prepareLaunch(bench.adapter, contextOf(bench), ours)
      if (launch && !yields(bench, launch)) {
        bench.use(withAdditions(bench.adapter, additions))
        const sessionId = await turn(bench, {})
        mustHear(bench, await hear(bench), sessionId)
        bench.use(bench.adapter)
      }
      must(launch !== undefined || user?.needsConsent !== true, 'it has no hooks that run by themselves')
      if (!user || user.needsConsent) return
      bench.ownForm?.prepare()
      await installHooks(requestFor(bench, user))
      must((await stateOf(user)) === 'installed', 'what was installed is not there')
      const sessionId = await turn(bench, hookEnvironment(SESSION, 1, dataDirectory(bench)))
      mustHear(bench, await hear(bench), sessionId)
    },
  },
  {
    name: 'hooks-others',
    title: 'hooks leave other sessions and the user’s files alone',
    scenario: 'tool',
    applies: (c) => c.runtimeHooks !== undefined,
    async run(bench) {
      const { user = { files: [] }, launch } = planOf(bench)
      await prepareLaunch(bench.adapter, contextOf(bench), { sessionId: SESSION, launch: 1 })
      if (launch) bench.use(withAdditions(bench.adapter, launch))
      bench.ownForm?.prepare()
      plantOddFiles(user)
      const before = contents(user)
      await installHooks(requestFor(bench, user))
      const installed = contents(user)
      await turn(bench, {})
      must(readdirSync(spoolDirectory(dataDirectory(bench))).length === 0, 'a session that is not ours was reported')
      const isUntouched = contents(user).map((text, index) => text === installed[index])
      await uninstallHooks(requestFor(bench, user))
      for (const [index, text] of contents(user).entries()) {
        const { path } = user.files[index] ?? { path: '' }
        must(!text?.includes('amux-hook'), `${path} still holds a hook of ours`)
        // Some agents write to their own settings when they run.
        if (isUntouched[index]) must(text === before[index], `${path} has not got its bytes back`)
      }
    },
  },
]
