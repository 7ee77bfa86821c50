import { chmodSync, existsSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { at, claudeFile, good, ID, put, useSessionHome } from '../../test/support/session-home.ts'
import { builtInAdapters } from '../adapters/index.ts'
import { quoteWord } from '../core/command-line.ts'
import { createClientIn } from './client.ts'
import { knownStore, ownerOf } from './session-host.ts'

useSessionHome()

const client = () => createClientIn({ HOME: at(), PATH: process.env.PATH }, { configDir: at('config') })
const resolved = (agent: string, sessionId: string) =>
  client().resolveSessions({ agent, prompt: 'x', sessionId, forkSessionId: sessionId })

const resumable = builtInAdapters
  .map(({ manifest }) => manifest)
  .filter(({ agent, verification, capabilities }) => {
    const hasStore = knownStore(ownerOf(agent), { HOME: '/home/user' }) !== null
    return verification === 'verified' && capabilities.canResume && hasStore
  })

describe('a session that no agent has', () => {
  test.each(resumable.map(({ agent }) => agent))('%s', async (agent) => {
    const unknown = '01234567-89ab-4cde-8f01-23456789abcd'
    await expect(resolved(agent, unknown)).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' })
    await expect(resolved(agent, 'nope')).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' })
  })

  test('is not reported for an agent whose store is not known', async () => {
    expect(await resolved('cursor', 'nope')).toMatchObject({ sessionId: 'nope' })
  })
})

describe('a session that an agent has', () => {
  test.each([ID, ID.slice(0, 8), `claude:${ID}`, `claude:${ID.slice(0, 5)}`])('%s', async (given) => {
    put(good(), claudeFile())
    expect(await resolved('claude', given)).toMatchObject({ sessionId: ID, forkSessionId: ID })
  })

  test('is not one of another agent', async () => {
    put(good(), claudeFile())
    await expect(resolved('codex', `claude:${ID}`)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      hint: `\`amux sessions handoff claude:${ID} --to codex\` goes on with it in codex.`,
    })
  })

  test('is found by its beginning in every call of the library', async () => {
    put(good(), claudeFile())
    const { sessions } = client()
    expect((await sessions.get('claude', ID.slice(0, 8))).sessionId).toBe(ID)
    expect((await sessions.get('claude', `claude:${ID.slice(0, 8)}`)).sessionId).toBe(ID)
    expect(await sessions.export('claude', ID.slice(0, 8), 'markdown')).toContain('Hello from the mock model.')
    await expect(sessions.get('claude', '')).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' })
    sessions.close()
  })
})

test('a run with an unknown session fails before its agent is started', async () => {
  put(`#!/bin/sh\ntouch ${quoteWord(at('started'))}\n`, at('bin/claude'))
  chmodSync(at('bin/claude'), 0o755)
  const mux = createClientIn({ HOME: at(), PATH: `${at('bin')}:${process.env.PATH}` }, { configDir: at('config') })
  const result = await mux.run({ agent: 'claude', prompt: 'say hi', sessionId: 'nope' })
  expect(result).toMatchObject({ outcome: { kind: 'failed' }, error: { code: 'SESSION_NOT_FOUND' } })
  expect(existsSync(at('started'))).toBe(false)
})
