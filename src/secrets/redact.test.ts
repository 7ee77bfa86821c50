import { describe, expect, test } from 'vitest'
import { redact, redactStart } from './redact.ts'

// Put together here, so that no file of ours holds what looks like a key.
const key = (prefix: string, length: number) => prefix + 'aB3dE5gH7jK9mN1pQ4sT6vX8zC2fG0'.repeat(4).slice(0, length)

describe('secrets go', () => {
  test.each([
    ['a key of Anthropic', key('sk-ant-api03-', 40)],
    ['a key of OpenAI', key('sk-proj-', 40)],
    ['a token of GitHub', key('ghp_', 36)],
    ['a fine-grained token of GitHub', key('github_pat_', 40)],
    ['a key of AWS', `AKIA${'ABCDEFGH12345678'}`],
    ['a key of Google', key('AIza', 35)],
    ['a token of npm', key('npm_', 36)],
    ['a token of Slack', key('xoxb-', 24)],
    ['a JSON web token', `${key('eyJ', 20)}.${key('eyJ', 30)}.${key('', 30)}`],
    ['random text of no known kind', key('', 44)],
  ])('%s', (_, secret) => {
    const text = `before ${secret} after, "${secret}" and ${secret}.`
    expect(redact(text)).toBe('before [redacted] after, "[redacted]" and [redacted].')
  })

  test.each([
    ['OPENAI_API_KEY=hunter2000', 'OPENAI_API_KEY=[redacted]'],
    ['passphrase = "correct horse battery"', 'passphrase = "[redacted]"'],
    ['{"apiKey":"k-123456"}', '{"apiKey":"[redacted]"}'],
    ['{\\"client_secret\\":\\"k-123456\\"}', '{\\"client_secret\\":\\"[redacted]\\"}'],
    ['password: s3cr3t-thing', 'password: [redacted]'],
    ['Authorization: Bearer abcdefghijklmnop', 'Authorization: Bearer [redacted]'],
    ['postgres://me:s3cret@host:5432/db', 'postgres://me:[redacted]@host:5432/db'],
    ['redis://:hunter2@cache', 'redis://:[redacted]@cache'],
    ['postgres://me:p?ss(w)[0]rd+@host', 'postgres://me:[redacted]@host'],
    ['%s://me:s3cret@host', '%s://me:[redacted]@host'],
  ])('%s', (text, expected) => {
    expect(redact(text)).toBe(expected)
  })

  test('a private key, whole or cut off', () => {
    const body = 'MIIEow\nabc\n'
    expect(redact(`x -----BEGIN RSA PRIVATE KEY-----\n${body}-----END RSA PRIVATE KEY----- y`)).toBe('x [redacted] y')
    expect(redact(`x -----BEGIN PRIVATE KEY-----\n${body}`)).toBe('x [redacted]')
  })
})

describe('other text stays', () => {
  test.each([
    'The token count is 25, and the password field is empty.',
    'const apiKey = process.env.API_KEY',
    'api_key: $MY_KEY',
    'tokens: number',
    'total_tokens: 1234567',
    'commit d69df820d220a783bc6e32dd96509686210d6181',
    'session 5c20a50c-5bed-4e0f-ae09-d8b2e11d981f',
    '/home/user/projects/agent-mux/src/sessions/text-index.test.ts',
    'someVeryLongCamelCaseIdentifierThatGoesOnAndOn2',
    'https://example.org/a/b?c=d#e',
    'git@github.com:owner/repository.git',
    String.raw`/^(?:(git\+https?|git\+ssh|https?|ssh|git):\/\/)?(?:[^@/]+@)?([\w.-]+)(?::([\w\d-]+))?/`, // publint
    String.raw`/^https?:\/\/(?:[^:@]+:[^:@]+@)?/`,
    String.raw`text.replace(/^https:\/\/user:(.*)@.*$/, '$1')`,
    'new RegExp("^https://.+:.+@host")',
  ])('%s', (text) => {
    expect(redact(text)).toBe(text)
  })
})

test('a long text is gone through whole', () => {
  const text = `${'word '.repeat(30_000)}API_KEY=k-123456\n${'y'.repeat(5_000_000)} ${key('sk-', 40)}`
  const rest = redact(text)
  expect(rest).toContain('API_KEY=[redacted]')
  expect(rest.endsWith(' [redacted]')).toBe(true)
  expect(rest.startsWith('word word ')).toBe(true)
})

test('it is linear in the length of the text', () => {
  const hostile = [
    'a-'.repeat(500_000),
    'a.'.repeat(500_000),
    'secret-'.repeat(100_000),
    'a'.repeat(200_000),
    '-----BEGIN PRIVATE KEY-----'.repeat(2000),
    'token='.repeat(20_000),
    'x://'.repeat(20_000),
  ]
  for (const text of hostile) {
    const start = process.cpuUsage() // not the clock: others may have the machine
    redact(text)
    expect(process.cpuUsage(start).user).toBeLessThan(2_000_000)
  }
})

describe('at any position in a long text', () => {
  const pem = `-----BEGIN RSA PRIVATE KEY-----\n${`${key('', 64)}\n`.repeat(40)}-----END RSA PRIVATE KEY-----`
  const secrets = [
    { text: key('sk-ant-api03-', 90), secret: key('sk-ant-api03-', 90) },
    { text: 'DB_PASSWORD= "s3cr3t, w1th spaces"', secret: 's3cr3t, w1th spaces' },
    { text: 'password:\n  hunter2-and-more', secret: 'hunter2-and-more' },
    { text: 'Authorization: Bearer 0123456789abcdef', secret: '0123456789abcdef' },
    { text: 'https://me:pa55-w0rd@example.org/x', secret: 'pa55-w0rd' },
    { text: pem, secret: key('', 64) },
  ]
  const fillers = ['word ', 'line of text\n', '{"json":1},', '\u4e2d\u6587']

  test.each(secrets)('$secret', ({ text, secret }) => {
    const step = Math.ceil((text.length + 80) / 12)
    for (const filler of fillers) {
      const before = filler.repeat(Math.ceil(70_000 / filler.length))
      // A text is looked through in pieces of 65,536 characters: at each place around the border.
      for (let over = -40; over <= text.length + 40; over += step) {
        const redacted = redact(`${before.slice(0, 65_536 - over)} ${text} ${before}`)
        expect(redacted.includes(secret) || redacted.includes(secret.slice(-12))).toBe(false)
      }
      for (let over = -40; over <= text.length + 40; over += step) {
        const start = redactStart(`${before.slice(0, 4000 - over)} ${text} ${before}`, 4000)
        expect(start.includes(secret.slice(0, 12))).toBe(false)
        expect(start.length).toBeGreaterThan(1000)
      }
    }
  })

  test('nor can many of them push one into sight', () => {
    const text = `${`${key('sk-', 60)} `.repeat(30)}${key('sk-', 60)}`
    for (let length = 100; length < 1800; length += 13) {
      expect(redactStart(text, length).replaceAll('[redacted]', '')).not.toContain('aB3dE5')
    }
  })
})

test.each([
  'toolu_bdrk_01Xq52wk1PfZQqctGEFmbs and toolu_01Xq52wk1PfZQqctGEFmbsXq52wk1',
  'call_iOpzJQQWZ2kw9E7NOYQySCxpUCSdozqX9qUB9gsf then msg_gt02oaJjZL1zCVo0uVT1BQDt7QmZiZY0T3tQx1G7',
  'gen-1794822400424-HUT5poDa07EnOf7DLK1T',
  '01ARZ3NDEKTSV4RRFFQ69G5FAV 5c20a50c-5bed-4e0f-ae09-d8b2e11d981f d69df820d220a783bc6e32dd96509686210d6181',
  '/tmp/gemini-client-error-generateJson-api-2026-11-15T18-54-03-198Z.json',
  'sessions/2Fproject/01a1e149-5b2c-7423-959a-9c0120b02f9f/terminal/call_4a17e7a052294aa093f',
  'cacheCreationEphemeral5mInputTokens: 1_000_000, interTokenLatencyMs: 18.546885800000002',
  '"token-types":"^6.1.1", "$ref": "#/components/schemas/TokenUsageEvent"',
  'outputTokens: this.#get(row), tokenUsage: this.#usage2',
])('names, paths and numbers stay: %s', (text) => {
  expect(redact(text)).toBe(text)
})

test.each(['wJalrXUtnFEMI/K7MDENG/bPxRfiCYEX4MPLEKEY', 'Zq0x1yXkRrd3/BKcwggSjAgEAAoIB+AQC7aB3dE5g'])(
  'a random text with slashes goes: %s',
  (text) => {
    expect(redact(`it is ${text} now`)).toBe('it is [redacted] now')
  },
)
