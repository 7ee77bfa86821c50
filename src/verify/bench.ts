import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, delimiter, dirname, join } from 'node:path'
import { loadAdapterFor } from '../adapters/index.ts'
import type { Subject } from '../adapters/kit/subject.ts'
import type { AgentCapabilities, Unreported } from '../contract/capabilities.ts'
import type { AgentEvent } from '../contract/events.ts'
import type { AgentName } from '../contract/names.ts'
import type { RunHandle } from '../contract/run-handle.ts'
import type { RunOptions } from '../contract/run-options.ts'
import { createClientIn } from '../mux/client.ts'
import { processesLeft } from '../process/processes-left.ts'
import { type Scenario, startScriptedServer } from '../scripted/index.ts'
import { cacheDirectory } from '../toolchain/private-install.ts'
import type { Bench, Finished } from './check.ts'
import type { DaemonBench } from './daemon-bench.ts'
import { execute } from './execute.ts'
import { TerminalBench } from './terminal-bench.ts'

export interface BenchRequest {
  agent: AgentName
  subject: Subject
  /** What this version of the CLI can do, where that is less than its manifest says. */
  capabilities?: AgentCapabilities
  scenario: string | Scenario
  /** Gets the native record types that the adapter did not know, after each run. */
  onUnrecognized?: (types: string[]) => void
  /** Leave the scratch home where it is. */
  keep?: boolean
  /** Start it as a user does, even where the bench knows how it starts sooner. */
  asInstalled?: boolean
  /** Directory of the CLI to prove, first on PATH. */
  binDir?: string
  path: string
}

/** No run takes longer than this unless its check says so; a CLI that hangs is a failed check, not a hanging suite. */
const RUN_TIMEOUT_MS = 90_000
const KEY = 'sk-amux-verify-not-a-real-key-0000'

/** Sets a bench up, hands it over, and clears it away whatever happens. */
export async function withBench<T>(request: BenchRequest, use: (bench: Bench) => Promise<T>): Promise<T> {
  const { agent, scenario, binDir, path, onUnrecognized, keep = false, asInstalled = false } = request
  const subject = withCache(request.subject)
  const { ownForm, timeoutMs = RUN_TIMEOUT_MS } = subject
  const soonerEnv = asInstalled ? {} : subject.soonerEnv
  const home = mkdtempSync(join(tmpdir(), 'amux-verify-'))
  const server = await startScriptedServer({ scenario })
  // Nothing of the user's environment but the path: no key of his may reach the agent.
  const env = { HOME: home, PATH: binDir ? `${binDir}${delimiter}${path}` : path, LANG: 'C.UTF-8', TERM: 'dumb' }
  const client = createClientIn(env, {
    configDir: join(home, '.agent-mux'),
    projectConfigDir: join(home, '.amux-project'),
  })
  const daemons: DaemonBench[] = []
  try {
    const cwd = join(home, 'project')
    mkdirSync(cwd)
    writeFiles(home, subject.files)
    execFileSync('git', ['init', '--quiet', cwd], { env: { PATH: path, HOME: home } })
    const adapter = await loadAdapterFor(agent, { env, homeDir: home })
    const capabilities = request.capabilities ?? client.adapters.capabilities(agent)
    const endpoint = { baseUrl: server.baseUrl(subject.protocol), apiKey: KEY, protocol: subject.protocol }
    const takesEndpoint = capabilities.endpointProtocols?.length !== 0
    const start = (options: Partial<RunOptions>): RunHandle => {
      const own = options.nonInteractive ? subject.ownEndpoint?.(endpoint) : undefined
      return client.run({
        agent,
        prompt: 'Please do what the script says.',
        model: subject.model,
        cwd,
        endpoint: own || !takesEndpoint ? undefined : endpoint,
        timeout: timeoutMs,
        ...options,
        env: { HOME: home, ...subject.env, ...soonerEnv, ...own, ...options.env },
      })
    }
    // Only what is missing: by now the agent may have made one of them its own.
    const writeScreenFiles = ({ asks = true } = {}) => {
      const files = Object.entries(subject.screenFiles ?? {}).filter(([path]) => !existsSync(join(home, path)))
      const missing = files.filter(([, content]) => asks || !/\bask\b/.test(JSON.stringify(content)))
      writeFiles(home, Object.fromEntries(missing))
    }
    const terminal = (options: Partial<RunOptions>): Promise<TerminalBench> => {
      writeScreenFiles()
      const given = { agent, prompt: '', model: subject.model, cwd, endpoint, ...options }
      return TerminalBench.open({ home, env, options: { ...given, env: { ...subject.env, ...options.env } } })
    }
    const startDaemon = async (): Promise<DaemonBench> => {
      const { DaemonBench } = await import('./daemon-bench.ts')
      const options = { model: subject.model, endpoint, env: { HOME: home, ...subject.env } }
      const daemon = new DaemonBench({ home, env, spawn: { agent, cwd, options } })
      daemons.push(daemon)
      await daemon.serve()
      return daemon
    }
    return await use({
      agent,
      adapter,
      adapterWith: (more) => loadAdapterFor(agent, { env: { ...env, ...subject.env, ...more }, homeDir: home, cwd }),
      execute: (args, more) =>
        execute({ command: adapter.cliCommand, args, env: { ...env, ...subject.env }, cwd, ...more }),
      use: (other) => client.adapters.register(other),
      resumesOnCopy: subject.resumesOnCopy ?? false,
      usageAfterTools: subject.usageAfterTools ?? false,
      forgetsRefusedCalls: subject.forgetsRefusedCalls ?? false,
      hooksTell: (what) => !subject.unreportedByHooks?.includes(what),
      setUpModels: () => writeFiles(home, subject.modelFiles ?? {}),
      ownForm: ownForm && {
        prepare: () => writeFiles(home, ownForm.files(endpoint)),
        run: (more) =>
          execute({ command: adapter.cliCommand, args: ownForm.args, env: { ...env, ...more }, cwd, timeoutMs }),
      },
      capabilities,
      server,
      cwd,
      home,
      endpoint,
      model: subject.model,
      alternativeModel: subject.alternativeModel,
      tells: (what, oneShot) => !unreportedBy(capabilities, oneShot).includes(what),
      shellTool: subject.shellTool ?? 'Bash',
      keyless: subject.keyless,
      highEffort: subject.highEffort ?? 'effort":"high"',
      start,
      terminal,
      writeScreenFiles,
      daemon: startDaemon,
      run: async (options, during) => {
        const run = await collect(start(options), during)
        onUnrecognized?.(Object.keys(run.result.unrecognized))
        return run
      },
      sent: () =>
        server.requests
          .filter(({ kind, helper }) => kind === 'model' && !helper)
          .map(({ url, body }) => `${url} ${JSON.stringify(body)}`),
      processesLeft,
      ageSessions: async () => {
        for (const file of await adapter.listSessionFiles()) {
          const name = basename(file)
          renameSync(file, join(dirname(file), subject.agedSession?.(name) ?? name))
        }
      },
      sessions: client.sessions,
      sessionFiles: () => adapter.listSessionFiles(),
      readSessions: async () => {
        const files = await adapter.listSessionFiles()
        return Promise.all(files.map((file) => adapter.parseSessionFile(file)))
      },
    })
  } finally {
    client.sessions.close()
    await Promise.all(daemons.map((daemon) => daemon.close()))
    await server.close()
    if (!keep) rmSync(home, { recursive: true, force: true, maxRetries: 3 })
  }
}

/** With the folders in our cache that runs of it share. */
function withCache(subject: Subject): Subject {
  const shared = Object.entries(subject.cacheEnv ?? {}).map(([name, folder]) => [
    name,
    join(cacheDirectory(process.env), folder),
  ])
  return { ...subject, env: { ...subject.env, ...Object.fromEntries(shared) } }
}

function writeFiles(home: string, files: Subject['files'] = {}): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(home, path)), { recursive: true })
    writeFileSync(join(home, path), typeof content === 'string' ? content : JSON.stringify(content))
  }
}

/** What this form of an agent gives no sign of. */
function unreportedBy(
  { unreported = [], unreportedLive = [], unreportedOneShot = [] }: AgentCapabilities,
  oneShot: boolean,
): Unreported[] {
  return [...unreported, ...(oneShot ? unreportedOneShot : unreportedLive)]
}

async function collect(
  handle: RunHandle,
  during: (event: AgentEvent, handle: RunHandle) => void = () => {},
): Promise<Finished> {
  const events: AgentEvent[] = []
  for await (const event of handle) {
    events.push(event)
    during(event, handle)
  }
  return { events, result: await handle.result() }
}
