import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { AgentAdapter } from '../../src/contract/adapter.ts'
import { filterEvents } from '../../src/contract/event-guards.ts'
import type { AgentEvent } from '../../src/contract/events.ts'
import type { RunHandle, RunResult } from '../../src/contract/run-handle.ts'
import type { SpawnArgs } from '../../src/contract/spawn.ts'
import { type AgentMuxClient, type ClientOptions, createClient } from '../../src/mux/client.ts'
import { bareAdapter, program } from './adapters.ts'

export function temporaryDirectory(): string {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'agent-mux-test-')))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

/** A client that leaves nothing behind, with the given adapters. */
export function testClient(adapters: AgentAdapter[] = [], options: ClientOptions = {}): AgentMuxClient {
  const directory = temporaryDirectory()
  const mux = createClient({ configDir: directory, projectConfigDir: directory, ...options })
  for (const adapter of adapters) mux.adapters.register(adapter)
  return mux
}

/** A client with one agent, `fake`, that is a program of `test/programs`. */
export function fakeClient(
  name: string,
  args: readonly unknown[] = [],
  overrides: { spawn?: Partial<SpawnArgs>; adapter?: Partial<AgentAdapter> } = {},
): AgentMuxClient {
  const words = args.map((arg) => (typeof arg === 'string' ? arg : JSON.stringify(arg)))
  const spawn = { args: [program(name), ...words], ...overrides.spawn }
  return testClient([bareAdapter('fake', spawn, overrides.adapter)])
}

export async function collect(handle: RunHandle): Promise<{ events: AgentEvent[]; result: RunResult }> {
  const events: AgentEvent[] = []
  for await (const event of handle) events.push(event)
  return { events, result: await handle }
}

export function types(events: readonly AgentEvent[]): string[] {
  return events.map((event) => event.type)
}

/** What the agent has said, message by message. */
export function texts(events: readonly AgentEvent[]): string[] {
  return filterEvents(events, 'message_stop').map((event) => event.text)
}
