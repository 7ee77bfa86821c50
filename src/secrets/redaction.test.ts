import { expect, test } from 'vitest'
import { createRedactor } from './redaction.ts'

const redact = createRedactor(
  {
    env: { MY_TOKEN: 'hunter2hunter2', PLAIN: 'this-stays', QUOTED_SECRET: 'say "friend"\\now' },
    endpoint: { baseUrl: 'http://127.0.0.1', apiKey: 'endpoint-key-1' },
    mcpServers: [
      { name: 'web', transport: 'sse', url: 'http://x', headers: { Authorization: 'Custom abcdefgh' } },
      { name: 'local', command: 'x', env: { DB_PASSWORD: 'correct horse' } },
    ],
  },
  { OTHER_API_KEY: 'from-the-user', SSH_AUTH_SOCK: '/tmp/agent.1234', SHORT_KEY: 'abc' },
)

test('values of secret variables, headers and keys go, wherever they are', () => {
  for (const secret of ['hunter2hunter2', 'endpoint-key-1', 'Custom abcdefgh', 'correct horse', 'from-the-user']) {
    expect(redact(`before ${secret} after`)).toBe('before [redacted] after')
  }
  expect(redact('this-stays /tmp/agent.1234 abc')).toBe('this-stays /tmp/agent.1234 abc')
})

test('also as they are in JSON, and JSON stays JSON', () => {
  const line = JSON.stringify({
    text: 'say "friend"\\now',
    url: 'https://me:pa55word@host/x',
    n: 'Bearer abcdefghijklmnop',
  })
  const redacted = redact(line)
  expect(JSON.parse(redacted)).toEqual({
    text: '[redacted]',
    url: 'https://me:[redacted]@host/x',
    n: 'Bearer [redacted]',
  })
  expect(redact(redacted)).toBe(redacted)
})

test('keys are known by their form; counts, ids and hashes stay', () => {
  expect(redact(`sk-ant-${'a1B2'.repeat(8)}`)).toBe('[redacted]')
  const record = JSON.stringify({
    usage: { cache_read_input_tokens: 1234567, output_tokens: 12 },
    id: 'toolu_01XkfE2mWpQrStUvWxYz1234',
    session_id: '565fa31e-b1db-443a-94a3-c9dbf5947026',
    sha: 'f325b10cda42d5b1e096856fd3f1a9dbf325b10c',
    signature: 'EqoBCkgIARABGAIiQL2Vn0k3mC9fYh7sT4uWxYzAbCdEfGhIjKlMnOpQrStUvWxYz0123456789',
  })
  expect(redact(record)).toBe(record)
})
