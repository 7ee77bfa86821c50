import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AgentEvent } from '../../src/contract/events.ts'
import type { LaunchOptions, LaunchRecord, LaunchSpec, RunnerModule } from '../../src/contract/launch.ts'
import { ulid } from '../../src/core/ulid.ts'
import { buildInto } from './built-cli.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

export interface LaunchBench {
  runner: RunnerModule
  /** The module that it comes from. */
  entry: string
  /** Where a fake agent can be put to be found. */
  agents: string
  home: string
  env: NodeJS.ProcessEnv
  newLaunch(prompt: string, options?: Partial<LaunchOptions>): { launchDir: string; spec: LaunchSpec }
  remove(): void
}

/** The runner as it is published, built into a directory of its own, with a fake `claude` on its path. */
/** One whose agent plays a screen, for terminals. */
export async function screenBench(): Promise<LaunchBench> {
  const bench = await launchBench()
  cpSync(join(ROOT, 'test/programs/screen-claude.cjs'), join(bench.agents, 'claude'))
  chmodSync(join(bench.agents, 'claude'), 0o755)
  return bench
}

export async function launchBench(): Promise<LaunchBench> {
  const scratch = mkdtempSync(join(tmpdir(), 'agent-mux-runner-'))
  const place = join(scratch, 'package')
  const agents = join(scratch, 'agents')
  const home = join(scratch, 'home')
  for (const directory of [place, agents, home]) mkdirSync(directory, { recursive: true })
  cpSync(join(ROOT, 'package.json'), join(place, 'package.json'))
  cpSync(join(ROOT, 'bin'), join(place, 'bin'), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(place, 'node_modules'))
  cpSync(join(ROOT, 'test/programs/counting-claude.sh'), join(agents, 'claude'))
  chmodSync(join(agents, 'claude'), 0o755)
  buildInto(join(place, 'dist'))
  const entry = join(place, 'dist/runner/index.js')
  if (!existsSync(entry)) throw new Error('The runner was not built')
  const runner: RunnerModule = await import(entry)
  return {
    ...{ runner, entry, agents, home },
    env: { PATH: `${agents}:${process.env.PATH}`, HOME: home, AGENT_MUX_PROJECT_DIR: home },
    newLaunch(prompt, options = {}) {
      const launchId = ulid(Date.now())
      const launchDir = join(scratch, 'launches', launchId)
      const spec: LaunchSpec = {
        ...{ format: 1, launchId, sessionId: 's1', launch: 1, agent: 'claude', createdAt: Date.now() },
        ...{ mode: 'headless', options: { prompt, cwd: home, runId: launchId, ...options } },
      }
      return { launchDir, spec }
    },
    remove: () => rmSync(scratch, { recursive: true, force: true, maxRetries: 5 }),
  }
}

export async function allRecords(runner: RunnerModule, launchDir: string): Promise<LaunchRecord[]> {
  const records: LaunchRecord[] = []
  for (let offset = 0; ; ) {
    const page = await runner.readRecords(launchDir, offset)
    if (page.records.length === 0) return records
    records.push(...page.records)
    offset = page.offset
  }
}

export function eventsOf(records: readonly LaunchRecord[]): AgentEvent[] {
  return records.flatMap((record) => ('event' in record ? [record.event] : []))
}

/** The numbers that the counting agent has said, by the events. */
export function counted(events: readonly AgentEvent[]): number[] {
  return events.flatMap((event) => (event.type === 'message_stop' ? [Number(event.text.slice(1, -1))] : []))
}

/** The same by the native log. */
export function countedNatively(launchDir: string): number[] {
  const path = join(launchDir, 'native.ndjson')
  const text = existsSync(path) ? readFileSync(path, 'utf8') : ''
  const lines = text.split('\n').slice(0, -1) // what stands after the last newline was never there
  return lines.flatMap((line) => {
    const { kind, data } = JSON.parse(line)
    const found = kind === 'out' && data.includes('"assistant"') ? /<(\d+)>/.exec(data) : null
    return found ? [Number(found[1])] : []
  })
}
