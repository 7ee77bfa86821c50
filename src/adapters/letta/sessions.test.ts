import { join } from 'node:path'
import { expect, test } from 'vitest'
import { LettaAdapter } from './index.ts'

test('reads the conversations of the local backend', async () => {
  const directory = join(import.meta.dirname, 'fixtures', 'sessions')
  const adapter = new LettaAdapter({ env: { LETTA_LOCAL_BACKEND_DIR: directory }, homeDir: '/nowhere' })
  const files = await adapter.listSessionFiles()
  expect(files).toHaveLength(1)
  const session = await adapter.parseSessionFile(files[0] ?? '')
  expect(session).toMatchObject({
    unifiedId: 'letta:local-conv-1',
    title: 'hi',
    turnCount: 2,
    model: 'google/gemma-3n-e4b',
  })
  expect(session.messages.map(({ role, content }) => [role, content])).toEqual([
    ['user', 'hi'],
    ['assistant', 'I will run a command.'],
    ['assistant', 'The command has run.'],
    ['user', 'hi'],
    ['assistant', 'Hello from the scripted model.'],
  ])
  expect(session.messages[1]?.toolCalls?.[0]?.output).toBe('Tool requires approval (headless mode)')
})
