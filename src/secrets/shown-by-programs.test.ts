import { expect, test } from 'vitest'
import { createDeltaGuard, createRedactor } from './redaction.ts'

// Secrets as programs show them: coloured, numbered, in forms and commands. And what only looks like one.

const redact = createRedactor({}, {})
const CORE = 'aB3dE5gH7jK9mN1pQ4sT6vX8zC2fG0aB3dE5gH7j'
const hex = (length: number) => '0a1b2c3d4e5f6789'.repeat(10).slice(0, length)

test.each([`hf_${CORE}`, `sk-${CORE}`, `npm_${CORE}`, 'AKIAABCDEFGH12345678'])('%s after a colour', (key) => {
  for (const text of [`\x1b[32m${key}\x1b[0m`, JSON.stringify(`\x1b[1;32m${key}`)]) {
    expect(redact(text)).not.toContain(key)
  }
})

test('a private key in a file that is shown with numbers, arrows or marks of a quotation', () => {
  const body = [1, 2, 3].map((one) => `${one}${CORE}${CORE.slice(0, 23)}`)
  const pem = ['-----BEGIN RSA PRIVATE KEY-----', ...body, '-----END RSA PRIVATE KEY-----']
  const shown = [
    pem.map((line, index) => `     ${index + 1}→${line}`),
    pem.map((line) => `> ${line}`),
    pem.map((line, index) => `id_rsa:${index}:${line}`),
  ]
  for (const lines of shown) expect(redact(lines.join('\n'))).not.toContain(CORE)
})

test.each([
  ['a command with a user', `curl -s -u admin:${CORE} https://x.test`],
  ['netrc', `machine x.test login me password ${CORE}`],
  ['a header', `Authorization: token ${hex(40)}`],
  ['the login of a registry', `{"auths":{"x.test":{"auth":"${CORE}=="}}}`],
  ['an address with a token alone', `https://${hex(40)}@github.com/o/r.git`],
  ['a password of a configuration', 'db:\n  password: Tr0ub4dor!x\n  port: 1'],
  ['a key of AWS that begins with a slash', `aws_secret_access_key = /${CORE.slice(1)}`],
  ['a password with signs', 'mysql://root:!x9$Kq2$@db/x'],
  ['a hook of Discord', `https://discord.com/api/webhooks/123456789012345678/${CORE}${CORE}`],
  ['a password from a pipe', `echo "${CORE}" | docker login --password-stdin`],
  ['a form that was sent', `a=1&h=${encodeURIComponent(`Authorization: Bearer ${CORE}`).replaceAll('%20', '+')}`],
])('%s', (_, text) => {
  const redacted = redact(text)
  expect(redacted).toContain('[redacted]')
  for (const secret of [CORE, CORE.slice(1, 30), hex(40), 'Tr0ub4dor', 'x9$Kq2']) expect(redacted).not.toContain(secret)
})

test('a value whose name is on the line before', () => {
  const text = `${'word '.repeat(9)}export DEPLOY_TOKEN=${CORE}`
  for (const width of [64, 66, 68, 72]) {
    expect(redact(text.replace(new RegExp(`.{${width}}`, 'g'), '$&\n')).replaceAll('\n', '')).not.toContain(CORE)
  }
})

const random = (length: number) => `${CORE}${CORE}${CORE}`.slice(0, length)
const base64 = (text: string) => Buffer.from(text).toString('base64')
const escapes = (text: string) => [...text].map((one) => `\\u00${one.charCodeAt(0).toString(16)}`).join('')
const wrappedKey = `-----BEGIN OPENSSH PRIVATE KEY--\n---\n${random(64)}\n${random(64)}\n-----END OPENSSH PRIVATE KEY-----`
const numbered = (lines: readonly string[]) => lines.map((line, index) => `  ${index + 1}\t${line}`).join('\n')

test.each([
  ['a password of letters alone', 'password="kAbgaNuzBclf"', 'kAbgaNuzBclf'],
  ['a key of Azure storage', `key ${random(86)}== ok`, random(30)],
  ['Modal', `ak-${random(22)} as-${random(22)}`, random(20)],
  ['ngrok', `authtoken: 2${random(26)}_${random(21)}`, random(20)],
  ['Twitter', `${'A'.repeat(22)}${random(60)}%2B${random(30)}%3D`, random(30)],
  ['Okta', `token 00${random(40)}`, random(30)],
  ['the id of a key', `"private_key_id": "${hex(40)}"`, hex(30)],
  ['a PuTTY key with numbers', numbered(['Private-Lines: 2', random(64), random(64), 'Private-MAC: 1']), random(20)],
  ['netrc whose host was long before', 'login me password aB3dE5gH7', 'aB3dE5gH7'],
  ['a password with brackets in quotes', `DB_PASS="${random(8)}(x);{9}aB3dE5gH7"`.replace('{9}', '[9]'), 'aB3dE5gH7'],
  ['a password with signs in a file of variables', `A=1\nexport DB_PASS=x9&y,${random(12)}\nB=2`, random(12)],
  ['a variable whose name goes on', `API_KEY_OPENAI=${random(24)}`, random(12)],
  ['a short name', `DB_PW=${random(12)} ROOTPW=${random(14)}`, random(12)],
  ['secret_key_base', `secret_key_base: ${hex(128)}`, hex(20)],
  ['a header without a kind', `Authorization: ${random(40)}`, random(12)],
  ['a header with another kind', `Authorization: DeepL-Auth-Key ${random(24)}`, random(12)],
  ['an address of a database with a slash', 'postgres://app:ab/aB3dE5gH7@db/main', 'aB3dE5gH7'],
  ['a key in an address', `https://x.test/api?v=1&key=${random(32)}`, random(12)],
  ['docker login', `docker login -u me -p ${random(14)} x.test`, random(12)],
  ['redis-cli', `redis-cli -h x -a ${random(16)} ping`, random(12)],
  ['XML', `<db><password>${random(14)}</password></db>`, random(12)],
  ['an attribute', `<add key="ApiKey" value="${random(32)}"/>`, random(12)],
  ['PHP', `define('DB_PASSWORD', '${random(14)}');`, random(12)],
  ['pgpass', `db.test:5432:main:app:${random(14)}`, random(12)],
  ['a sentence', `The password is ${random(12)}.`, random(12)],
  ['a JSON web key', `{"kty":"EC","crv":"P-256","d":"${random(43)}"}`, random(20)],
  ['Azure DevOps', `${random(76)}AZDO${random(4)}`, random(20)],
  ['Telegram', `123456789:AA${random(33)}`, random(6)],
  ['Discord', `MTk4NjIyNDgzNDcxOTI1MjQ4.Cl2FMQ.${random(30)}`, random(6)],
  ['Airtable', `pat${random(14)}.${hex(64)}`, random(12)],
  ['a secret of Azure', `${random(3)}8Q~${random(34)}`, random(12)],
  ['Terraform', `${random(14)}.atlasv1.${random(60)}`, random(12)],
  ['a key in JSON in JSON', JSON.stringify(JSON.stringify({ log: `\nSG.${random(22)}.${random(43)}` })), random(12)],
  ['a name and a value of escapes', `"${escapes('aws_secret_access_key = ')}${escapes(CORE)}"`, escapes(random(6))],
  ['an address after a colour', `\x1b[31mredis://:${random(24)}@cache.test`, random(12)],
  ['a coloured match', `\x1b[01;31m\x1b[Kghp_\x1b[m\x1b[K${random(36)}`, random(12)],
  ['a colour within', `ghp_${random(8)}\x1b[1m${random(36).slice(8)}`, random(20).slice(8)],
  ['a character without width', `ghp_${random(8)}\u200b${random(36).slice(8)}`, random(20).slice(8)],
  ['a narrow column', `ghp_${random(36)}`.replace(/.{20}/g, '$&\n'), random(36).slice(18)],
  [
    'base64 in a narrow column',
    base64(`my ghp_${random(36)}`).replace(/.{32}/g, '$&\n'),
    base64(`my ghp_${random(36)}`).slice(32, 50),
  ],
  ['base64 without a small letter', base64('(AKIA4E2WX3OPEKE2KPSE)'), base64('(AKIA4E2WX3OPEKE2KPSE)').slice(6, 24)],
  ['a key wrapped within its dashes', `${'word '.repeat(6)}${wrappedKey}`, random(20)],
  ['a signature in XML', `https://x.test/c?sv=2020&amp;sig=${random(44)}`, random(12)],
])('%s', (_, text, part) => {
  expect(redact(text)).not.toContain(part)
  expect(redact(JSON.stringify({ text: `\n${text}` }))).not.toContain(part)
  const guard = createDeltaGuard({}, {})
  const said = [...text].flatMap((delta, frame) =>
    guard.pass({ runId: 'r', agent: 'a', timestamp: 1, type: 'text_delta', delta, accumulated: '' }, frame),
  )
  const shown = [...said, ...guard.release()].map(({ event }) => ('delta' in event ? event.delta : '')).join('')
  expect(shown).not.toContain(part)
})

test('the key of a service account, wrapped at any width', () => {
  const body = Array.from({ length: 20 }, (_, index) => `${index}${random(62)}`)
  const pem = `-----BEGIN PRIVATE KEY-----\n${body.join('\n')}\n-----END PRIVATE KEY-----\n`
  const account = JSON.stringify({ type: 'service_account', private_key_id: hex(40), private_key: pem })
  for (let width = 50; width < 120; width++) {
    const wrapped = account.replace(new RegExp(`.{${width}}`, 'g'), '$&\n')
    expect(redact(wrapped)).not.toContain(CORE.slice(0, 12))
  }
})

test.each([
  'password="currentPassword" password: "newUserPassword" password="mySqlPassword"',
  'const password = "userPasswordHtml"',
  'the login form password field',
  '"dependencies":{"minipass":"^7.1.2","compass": "^10.20.30"}',
  'const token = this.scanner.nextToken2()',
  'password: user2.passwordHash,',
  'type Props = { password: string; token: TokenOf<2> }',
  'integrity sha512-wfsFgXQ8A3SEI9XGf7Nl3Y9l7ffSrGh7SUCT7vU/2CzYPep9kjxAn1S40F9OPKxAMGCVl7HtNlJhrCJUeUq83g==',
  'commit d69df820d220a783bc6e32dd96509686210d6181',
  'var token = this$1$1.getToken()',
  't.VISITOR_KEYS=t.NODE_UNION_SHAPES__PRIVATE=t.NODE_FIELDS=void 0',
  'const TOKEN_STRINGS = "[A-Za-z0-9._~+/-]+=*"',
  'ZONE_ID_PAT = "(?:%25|%)(?:[" + UNRESERVED',
  'exports.SOCKS5_CUSTOM_AUTH_END = SOCKS5_CUSTOM_AUTH_END2;',
  '#### Example - Basic RetryHandler with defaults',
  'the password is required, the password is base64encoded, the api key is optional',
  '<password>text</password> <Token>Identifier</Token> define("MAX_KEY", "abcdef")',
  'private_key: "_RSAPrivateKey" password = base64.b16encode(bytes)',
  'exports.SOCKS5_NO_ACCEPTABLE_AUTH = exports.SOCKS5_CUSTOM_AUTH_END',
  'It is Basic POSIX-compliant behaviour.',
  `"contentHash": "${random(86)}==" <SignatureValue>${random(86)}==</SignatureValue>`,
  'MODULE_PWD_STATE=yes\nMODULE_RESOURCE_STATE=yes\nMODULE__SCPROXY_STATE=n/a\nMODULE_SPWD_STATE=yes',
  'id 5c20a50c-5bed-4e0f-ae09-d8b2e11d981f',
  'https://example.org/@scope/package-name@1.2.3',
  're_export_default_as_named_value and pa-very-long-name-of-a-style-class-that-goes-on',
])('%s stays', (text) => {
  expect(redact(text)).toBe(text)
})
