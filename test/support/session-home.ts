import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'
import { createClientIn } from '../../src/mux/client.ts'

export const FIXTURES = join(import.meta.dirname, '../../src/adapters')
export const ID = 'aaaaaaaa-bbbb-4ccc-8ddd-000000000001'

let home: string
const open: { close(): void }[] = []

/** For every test of the file a home of its own, in which the sessions of agents can be put and looked at. */
export function useSessionHome(): void {
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'amux-sessions-'))
  })
  afterEach(() => {
    closeAll()
    rmSync(home, { recursive: true, force: true })
  })
}

/** Closed at the end of the test. */
export function keep(one: { close(): void }): void {
  open.push(one)
}

export function closeAll(): void {
  for (const one of open.splice(0)) one.close()
}

export function sessionsAt() {
  const { sessions } = createClientIn({ HOME: home, PATH: process.env.PATH })
  keep(sessions)
  return sessions
}

export const at = (...parts: string[]) => join(home, ...parts)
export const claudeFile = (id = ID) => at('.claude/projects/-workspace', `${id}.jsonl`)
export const good = () => readFileSync(join(FIXTURES, 'claude/fixtures/sessions/resumed.jsonl'))

export function put(content: string | Buffer, path: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
}
