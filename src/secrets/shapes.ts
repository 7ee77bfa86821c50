import { findAssigned } from './assigned.ts'
import { entropyOf, hasAllKinds, isPassword, isPlaceholder, isRandom, isWord } from './plausible.ts'
import { GAP, PRIVATE_KEY } from './private-key.ts'
import type { Span } from './spans.ts'

/** A secret that is recognised by what is around it. */
interface Shape {
  name: string
  /** Where this is not there, neither is the shape: quicker to see. */
  needs: string | RegExp
  /** What comes before the secret, if anything, and the secret. */
  before: string
  secret: string
  after?: string
  flags?: string
  /** It is all of characters of a run, and at least so long: only such runs are looked at. */
  min?: number
  isSecret?: (secret: string, before: string) => boolean
}

const VALUE = String.raw`[^\s"'\`\\,;&<>()[\]{}]`
/** Commands with an option of one letter for a password. */
export const COMMANDS = String.raw`(?:\bdocker[ \t]+login\b[^\n|;&]{0,120}?[ \t]-p[ \t]+|\bredis-cli\b[^\n|;&]{0,120}?[ \t]-a[ \t]+|\bldap[a-z]{3,8}\b[^\n|;&]{0,160}?[ \t]-w[ \t]+|\bhtpasswd[ \t]+-\w*b\w*[ \t]+\S+[ \t]+\S+[ \t]+|\bgh[ \t]+secret[ \t]+set\b[^\n|;&]{0,120}?[ \t](?:-b|--body)[ \t=]+|\bsetx[ \t]+\w*(?:KEY|TOKEN|SECRET|PASSWORD|PASS)[ \t]+)["']?`
export const ELEMENT = String.raw`<[\w:-]{0,24}(?:password|passwd|passphrase|secret|token|api_?key)>`
export const DEFINE = String.raw`\bdefine\([ \t]*["'][A-Z_]{0,32}(?:PASSWORD|SECRET|KEY|SALT|TOKEN)["'][ \t]*,[ \t]*["']`

/** `"contentHash": "`, `<SignatureValue>`. */
const HASH_NAME = String.raw`(?:[Hh]ash|[Dd]igest|[Cc]hecksum|[Ss]ignature(?:Value)?|CipherValue)\\{0,3}["']?[ \t]{0,2}[:=>]\s{0,2}\\{0,3}["']?`

export const SHAPES: readonly Shape[] = [
  { name: 'private key', needs: 'PRIVATE KEY', before: '', secret: PRIVATE_KEY.source },
  {
    ...{ name: 'authorization', needs: /earer|asic|SSWS|uthorization/, flags: 'i' },
    ...{
      before: String.raw`(?:\b(?:bearer|basic|ssws)|authorization\\{0,7}["']?[ \t]{0,4}[:=][ \t]{0,4}\\{0,7}["']?(?:token|key|apikey|[a-z]+-auth-key))[ \t]+`,
      secret: '[A-Za-z0-9._~+/-]{12,}={0,2}',
    },
    isSecret: (secret) =>
      !secret.split(/[-_./]/).every((part) => isWord(part) || /^[A-Z]{2,8}$/.test(part)) &&
      !/^(?:[A-Z][a-z]+){2,}$/.test(secret),
  },
  {
    ...{ name: 'authorization without its kind', needs: /uthorization/, flags: 'i' },
    before: String.raw`authorization\\{0,7}["']?[ \t]{0,4}[:=][ \t]{0,4}\\{0,7}["']?`,
    secret: '[A-Za-z0-9._~+/-]{20,}={0,2}',
    isSecret: isRandom,
  },
  {
    ...{ name: 'password in an address', needs: '://', flags: 'i' },
    ...{
      // No user has a bracket or a question mark in his name there; a pattern that finds addresses has.
      before: String.raw`:\/\/[^\s/:@'"\\?()[\]|^]{0,256}:`,
      secret: String.raw`[^\s/@'"\\]{1,256}`,
      after: '@',
    },
    isSecret: (secret) => !isPlaceholder(secret) && !isPattern(secret),
  },
  {
    // As people write it for a database, though an address should not have a slash there.
    ...{ name: 'password with a slash', needs: '://' },
    before: String.raw`(?:postgres(?:ql)?|mysql|mariadb|redis|rediss|mongodb(?:\+srv)?|amqps?|mssql):\/\/[^\s/:@'"\\]{0,256}:`,
    ...{ secret: String.raw`(?!\d{1,5}[/?])[^\s@'"\\]{1,256}`, after: '@' },
    isSecret: (secret) => !isPlaceholder(secret) && !isPattern(secret),
  },
  {
    ...{ name: 'key in an address', needs: /[?&](?:key|auth)=/, before: '[?&](?:key|auth)=' },
    ...{ secret: '[A-Za-z0-9_.~-]{20,}', isSecret: (secret) => isRandom(secret) && /[A-Z]/.test(secret) },
  },
  {
    ...{ name: 'token in an address', needs: '://' },
    ...{ before: String.raw`:\/\/(?<=https?:\/\/)`, secret: '[A-Za-z0-9_-]{20,128}', after: '@' },
    isSecret: (secret) => /\d/.test(secret) && entropyOf(secret) > 3,
  },
  {
    ...{ name: 'user and password of a command', needs: 'curl ' },
    before: String.raw`\bcurl\b[^\n|;&]{0,300}?[ \t](?:-u|--user)[ \t=]+["']?[\w.@+-]{0,64}:`,
    secret: `${VALUE}{6,}`,
    isSecret: (secret) => !isPlaceholder(secret),
  },
  {
    ...{ name: 'password of a command', needs: /docker|redis-cli|ldap|htpasswd|gh secret|setx/ },
    before: COMMANDS,
    secret: `${VALUE}{6,}`,
    isSecret: (secret) => isPassword(secret),
  },
  {
    ...{
      name: 'password given to a command',
      needs: '-stdin',
      before: String.raw`\b(?:echo|printf)[ \t]+(?:-n[ \t]+)?["']?`,
    },
    ...{ secret: `${VALUE}{6,}`, after: String.raw`["']?[ \t]*\|[^\n|;&]{0,200}--(?:password|token|secret)-stdin` },
    isSecret: (secret) => isPassword(secret),
  },
  {
    ...{
      name: 'element',
      needs: '</',
      flags: 'i',
      before: ELEMENT,
      secret: String.raw`[^\s<>\\]{6,}`,
      after: String.raw`<\\?\/`,
    },
    isSecret: (secret) => isPassword(secret),
  },
  {
    ...{ name: 'attribute', needs: /value/i, flags: 'i' },
    before: String.raw`(?:password|secret|token|api_?key)\\{0,7}["'][ \t]+value[ \t]{0,4}=[ \t]{0,4}\\{0,7}["']`,
    ...{ secret: String.raw`[^\s"'<>\\]{6,}`, isSecret: (secret) => isPassword(secret) },
  },
  {
    ...{ name: 'constant', needs: 'define(', before: DEFINE },
    ...{ secret: String.raw`[^'"\\\n]{6,}`, isSecret: (secret) => isPassword(secret) },
  },
  {
    ...{ name: 'named in a sentence', needs: / (?:is|was) /, flags: 'i' },
    before: String.raw`\b(?:password|passphrase|api key|access token)[ \t]+(?:is|was)(?:[ \t]+now)?:?[ \t]+["'\`]?`,
    secret: `${VALUE}{7,}`,
    isSecret: (secret) =>
      isPassword(secret) && /\d/.test(secret) && /[a-z]/.test(secret) && /[A-Z!$%&*+=?@^~]/.test(secret),
  },
  {
    ...{ name: 'pgpass', needs: /:(?:5432|6432):/, before: String.raw`[\w.*-]+:(?:5432|6432):[\w.*-]+:[\w.*-]+:` },
    ...{ secret: String.raw`[^\s:"'\\]{6,}`, isSecret: (secret) => isPassword(secret) },
  },
  {
    ...{
      name: 'private part of a JSON web key',
      needs: 'kty',
      before: String.raw`\\{0,7}"d\\{0,7}"[ \t]{0,4}:\s{0,4}\\{0,7}"`,
    },
    ...{ secret: '[A-Za-z0-9_-]{32,}', isSecret: isRandom },
  },
  {
    name: 'PayPal',
    needs: 'access_token$',
    before: String.raw`access_token\$(?:production|sandbox)\$`,
    secret: String.raw`\w+\$[a-f0-9]{32}`,
  },
  { name: 'Firebase', needs: ':APA91b', before: '', secret: String.raw`AAAA[\w-]{7}:APA91b[\w-]{100,}` },
  {
    ...{ name: 'hook of others', needs: /webhookb2|hooks\.zapier/ },
    before: String.raw`(?:webhook\.office\.com\/webhookb2\/|hooks\.zapier\.com\/hooks\/catch\/)`,
    secret: String.raw`[\w@/-]{10,}`,
  },
  { name: 'New Relic, ingest', min: 40, needs: 'FFFFNRAL', before: '', secret: '[a-f0-9]{32}FFFFNRAL' },
  { name: 'Azure DevOps', min: 84, needs: 'AZDO', before: '', secret: '[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}' },
  { name: 'MaxMind', min: 40, needs: '_mmk', before: '', secret: '[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk' },
  {
    ...{ name: 'password of sshpass', needs: 'sshpass', before: String.raw`\bsshpass[ \t]+-p[ \t]*["']?` },
    secret: `${VALUE}{6,}`,
    isSecret: (secret) => !isPlaceholder(secret),
  },
  {
    ...{
      name: 'password of mysql',
      needs: 'mysql',
      before: String.raw`\bmysql(?:dump|admin)?\b[^\n|;&]{0,200}?[ \t]-p["']?`,
    },
    secret: `${VALUE}{6,}`,
    isSecret: (secret) => isPassword(secret),
  },
  {
    ...{ name: 'netrc', needs: 'machine', before: String.raw`\bmachine\s+\S+\s+login\s+\S+\s+password\s+` },
    secret: String.raw`[^\s"'\\]{4,}`,
  },
  {
    // Its host may have been written long before, when it comes in pieces.
    ...{ name: 'login and password', needs: 'login', before: String.raw`\blogin\s+\S{1,64}\s+password\s+` },
    secret: String.raw`[^\s"'\\]{6,}`,
    isSecret: (secret) => isPassword(secret),
  },
  {
    ...{ name: 'login of a registry', needs: 'auth' },
    before: String.raw`(?:"auth\\{0,7}"[ \t]{0,4}:[ \t]{0,4}\\{0,7}"|_auth[ \t]{0,4}=[ \t]{0,4}["']?)`,
    secret: '[A-Za-z0-9+/]{12,}={0,2}',
    isSecret: (secret) => isRandom(secret) || secret.endsWith('='),
  },
  {
    ...{ name: 'PuTTY key', needs: 'Private-Lines', before: String.raw`Private-Lines:[ \t]*\d+(?=\s|\\)` },
    secret: `(?:${GAP}*[A-Za-z0-9+/=]{16,})+`,
  },
  {
    ...{ name: 'id of a key of Google', needs: 'private_key_id', secret: '[a-f0-9]{40}' },
    before: String.raw`private_key_id\\{0,7}["'][ \t]{0,4}:[ \t]{0,4}\\{0,7}["']`,
  },
  {
    ...{ name: 'option of a command', needs: '--', flags: 'i' },
    ...{
      before: String.raw`--(?:[a-z]+-)?(?:api-?key|token|password|passphrase|secret)(?:[ \t]+|=)["']?`,
      secret: `${VALUE}{6,}`,
    },
    isSecret: (secret) => isPassword(secret),
  },
  {
    ...{ name: 'cookie', needs: 'ookie', flags: 'i' },
    ...{
      before: String.raw`(?:set-)?cookie\\{0,7}["']?[ \t]{0,4}[:=][ \t]{0,4}\\{0,7}["']?`,
      secret: String.raw`[\w.-]+=[^"'\\\s<>]{12,}(?:; [\w.-]+=[^"'\\\s;<>]+)*`,
    },
    isSecret: (secret) => isRandom(secret.slice(secret.indexOf('=') + 1)),
  },
  { name: 'Telegram', needs: ':AA', before: '', secret: String.raw`(?<!\d)\d{8,10}:AA[\w-]{30,40}` },
  {
    name: 'Discord',
    min: 59,
    needs: '.',
    before: '',
    secret: String.raw`(?:(?<![A-Za-z0-9])|(?<=\[[\d;:]{0,16}m))[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,40}`,
  },
  { name: 'Azure', min: 37, needs: 'Q~', before: '', secret: String.raw`[\w~.-]{3}\dQ~[\w~.-]{31,34}` },
  {
    ...{
      name: 'signature of an address',
      needs: 'sig',
      before: '[?&;](?:sig|signature|X-Amz-Signature)=',
      secret: '[A-Za-z0-9%/+_-]{30,}=*',
    },
  },
  {
    name: 'Terraform',
    min: 73,
    needs: '.atlasv1.',
    before: '',
    secret: String.raw`[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{50,}`,
  },
  { name: 'Airtable', min: 82, needs: 'pat', before: '', secret: String.raw`pat[A-Za-z0-9]{14}\.[a-f0-9]{64}` },
  {
    name: 'Mailchimp',
    min: 36,
    needs: '-us',
    before: '',
    secret: String.raw`(?<![0-9A-Fa-f])[0-9a-f]{32}-us\d{1,2}(?!\w)`,
  },
  {
    name: 'Azure storage',
    min: 52,
    needs: '+ASt',
    before: '',
    secret: String.raw`[A-Za-z0-9+/]{40,}\+ASt[A-Za-z0-9]{6}==`,
  },
  {
    // As long as a hash of SHA-512 or a signature, which say what they are.
    ...{ name: 'Azure storage, alone', min: 88, needs: '==', before: '' },
    secret: `(?<![A-Za-z0-9+/_-]|sha512[:=]|${HASH_NAME})[A-Za-z0-9+/]{86}==(?!=)`,
    isSecret: (secret) => /[a-z]/.test(secret) && /[A-Z]/.test(secret) && /\d/.test(secret),
  },
  {
    ...{ name: 'ngrok', min: 48, needs: '_', before: '' },
    secret: String.raw`(?<!\w)[12](?=\w*[a-z])(?=\w*[A-Z])[A-Za-z0-9]{26}_[A-Za-z0-9]{20,22}(?!\w)`,
  },
  {
    ...{ name: 'Discord hook', needs: 'api/webhooks/', before: String.raw`discord(?:app)?\.com\/api\/webhooks\/\d+\/` },
    secret: String.raw`[\w-]{40,}`,
  },
  {
    name: 'Slack hook',
    needs: 'hooks.slack.com',
    before: String.raw`hooks\.slack\.com\/(?:services|workflows)\/`,
    secret: '[A-Za-z0-9/_-]{20,}',
  },
]

/** What stands for a password in a regular expression: `.+`, `(.*)`, `w+` without its backslash, `[^` before the `@`. */
function isPattern(text: string): boolean {
  return /^\(?(?:\?[:=!])?(?:[.wSW][+*]\??|\[\^:?)\)?$/.test(text)
}

const COMPILED = SHAPES.map(({ before, secret, after = '', flags = '', ...shape }) => ({
  ...shape,
  pattern: new RegExp(`(${before})(${secret})${after && `(?=${after})`}`, `g${flags}`),
}))

const IN_RUNS = COMPILED.filter(({ min }) => min !== undefined)
const IN_TEXTS = COMPILED.filter(({ min }) => min === undefined)
const SHORTEST_IN_RUN = Math.min(...IN_RUNS.map(({ min = 0 }) => min))

/** The secrets in a text that are recognised by what is around them. */
export function findShapes(text: string, spans: Span[]): void {
  findAssigned(text, spans)
  find(IN_TEXTS, text, 0, spans)
}

/** So much before a run is looked at: a colour of a terminal. */
const BEFORE_RUN = 20

/** The secrets in one run of characters that are known by how it is made. */
export function findRunShapes(text: string, start: number, end: number, spans: Span[]): void {
  if (end - start < SHORTEST_IN_RUN) return
  const from = Math.max(0, start - BEFORE_RUN)
  find(
    IN_RUNS.filter(({ min = 0 }) => end - start >= min),
    text.slice(from, end + 1),
    from,
    spans,
  )
}

function find(shapes: typeof COMPILED, text: string, offset: number, spans: Span[]): void {
  for (const { needs, pattern, isSecret } of shapes) {
    if (typeof needs === 'string' ? !text.includes(needs) : !needs.test(text)) continue
    pattern.lastIndex = 0
    for (let found = pattern.exec(text); found; found = pattern.exec(text)) {
      const before = found[1] ?? ''
      const secret = found[0].slice(before.length)
      if (isSecret && !isSecret(secret, before)) continue
      const start = offset + found.index + before.length
      spans.push({ start, end: start + secret.length, from: offset + found.index })
    }
  }
}

/** Of a text that was put together from several lines only what is random: words of the next line may be part of it. */
export function findRandomShapes(text: string): Span[] {
  const spans: Span[] = []
  findShapes(text, spans)
  return spans.filter(({ start, end }) => {
    const secret = text.slice(start, end)
    if (isRandom(secret)) return true
    return isPassword(secret) && (text.charAt(end) === '@' || (secret.length >= 10 && hasAllKinds(secret)))
  })
}
