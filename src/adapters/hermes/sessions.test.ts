import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { HermesAdapter } from './index.ts'

test('reads its database', async () => {
  const home = mkdtempSync(join(tmpdir(), 'amux-hermes-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  const database = new DatabaseSync(join(home, 'state.db'))
  database.exec(`
    CREATE TABLE sessions (id TEXT PRIMARY KEY, model TEXT, started_at REAL, parent_session_id TEXT, cwd TEXT, title TEXT,
      model_config TEXT);
    CREATE TABLE messages (id INTEGER PRIMARY KEY, session_id TEXT, role TEXT, content TEXT, tool_calls TEXT,
      tool_call_id TEXT, timestamp REAL, reasoning TEXT);
    INSERT INTO sessions VALUES ('s1', 'some/model', 100.5, NULL, NULL, NULL, '{"cwd": "/workspace", "provider": "custom"}'),
      ('s2', 'm', 200, 's1', '/other', 'T', NULL);
    INSERT INTO messages VALUES (1, 's1', 'user', 'run it', NULL, NULL, 101, NULL),
      (2, 's1', 'assistant', '', '[{"id":"c1","function":{"name":"terminal","arguments":"{\\"command\\":\\"ls\\"}"}}]', NULL, 102, 'hm'),
      (3, 's1', 'tool', 'a.txt', NULL, 'c1', 103, NULL),
      (4, 's1', 'assistant', 'There is a.txt.', NULL, NULL, 104, NULL);`)
  database.close()
  const adapter = new HermesAdapter({ env: { HERMES_HOME: home }, homeDir: '/nowhere' })
  expect(await adapter.listSessionFiles()).toHaveLength(2)
  const [file] = await adapter.listSessionFiles('/workspace')
  const session = await adapter.parseSessionFile(file ?? '')
  expect(session).toMatchObject({
    sessionId: 's1',
    title: 'run it',
    createdAt: 100_500,
    updatedAt: 104_000,
    turnCount: 1,
  })
  const call = { toolCallId: 'c1', toolName: 'terminal', input: { command: 'ls' }, output: 'a.txt' }
  expect(session.messages[1]).toMatchObject({ thinking: 'hm', toolCalls: [call] })
})
