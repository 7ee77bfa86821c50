/** One secret of a test: how it is written where it stands, and what of it nobody may find. */
export interface Planted {
  name: string
  /** As an agent or a user would write it, with what makes it known for a secret. */
  text: string
  /** The part that is random. */
  core: string
  /** It is known because the launch has it in a variable of this name. */
  variable?: string
}

const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
const LOWER = UPPER.toLowerCase()
const DIGITS = '0123456789'
const ALNUM = UPPER + LOWER + DIGITS

/** Random, but the same for the same seed. */
export function randomTexts(seed: number) {
  let state = seed
  const below = (limit: number) => {
    state = (state * 1664525 + 1013904223) % 2 ** 32
    return Math.floor((state / 2 ** 32) * limit)
  }
  const text = (length: number, of = ALNUM) => {
    const characters = Array.from({ length }, () => of.charAt(below(of.length)))
    // As real ones nearly always have: one of each kind.
    if (of === ALNUM) characters.splice(1, 3, 'q', 'Z', '7')
    return characters.join('')
  }
  return { below, text }
}

export function plantedSecrets(seed: number): Planted[] {
  const { text } = randomTexts(seed)
  const form = (name: string, head: string, length: number, of?: string): Planted => {
    const core = text(length, of)
    return { name, text: head + core, core }
  }
  const within = (name: string, before: string, length: number, after = ''): Planted => {
    const core = text(length)
    return { name, text: before + core + after, core }
  }
  const variable = (name: string, length: number): Planted => {
    const core = text(length)
    return { name, text: core, core, variable: name }
  }
  const body = [text(64), text(64), text(40)]
  const signature = text(43)
  return [
    form('AWS key id', 'AKIA', 16, UPPER + DIGITS),
    form('GitHub', 'ghp_', 36),
    form('GitHub, fine-grained', 'github_pat_', 60),
    form('GitLab', 'glpat-', 20),
    form('Slack', 'xoxb-123456789012-', 24),
    form('Stripe', 'sk_live_', 24),
    form('npm', 'npm_', 36),
    form('PyPI', 'pypi-AgEIcHlwaS5vcmc', 60),
    form('Hugging Face', 'hf_', 34),
    form('OpenAI', 'sk-proj-', 48),
    form('Anthropic', 'sk-ant-api03-', 48),
    form('Google', 'AIza', 35),
    form('xAI', 'xai-', 40),
    { name: 'JWT', text: `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTYifQ.${signature}`, core: signature },
    {
      name: 'PEM',
      text: `-----BEGIN RSA PRIVATE KEY-----\n${body.join('\n')}\n-----END RSA PRIVATE KEY-----`,
      core: body[1] ?? '',
    },
    within('address', 'postgres://app:', 18, '@db.example.com/main'),
    within('authorization', 'Authorization: Bearer ', 32),
    within('cookie', 'Cookie: session=', 32),
    within('AWS secret', 'AWS_SECRET_ACCESS_KEY=', 40),
    within('connection', 'DATABASE_PASSWORD=', 20),
    variable('PGPASSWORD', 16),
    variable('DB_PASS', 16),
    variable('GITHUB_PAT', 24),
    variable('REDISCLI_AUTH', 18),
    variable('DEPLOY_TOKEN', 20),
    variable('MY_API_KEY', 28),
  ]
}

/** A text in the ways in which programs hand texts on. */
export const ENCODINGS: Readonly<Record<string, (text: string) => string>> = {
  plain: (text) => text,
  'after an escaped newline': (text) => JSON.stringify({ log: `first line\n${text}\n` }),
  'JSON in JSON': (text) => JSON.stringify({ inner: JSON.stringify({ log: `first line\n${text}` }) }),
  'base64, first place': (text) => Buffer.from(text).toString('base64'),
  'base64, second place': (text) => Buffer.from(`x${text}`).toString('base64'),
  'base64, third place': (text) => Buffer.from(`xy${text}`).toString('base64'),
  'URL-encoded': (text) => encodeURIComponent(text),
  hex: (text) => Buffer.from(text).toString('hex'),
  'base64 in lines of 64': (text) => wrapped(Buffer.from(`Some words before it. ${text}`).toString('base64'), 64),
  'base64 in lines of 76': (text) => wrapped(Buffer.from(`Some words before it. ${text}`).toString('base64'), 76),
}

function wrapped(text: string, width: number): string {
  return text.match(new RegExp(`.{1,${width}}`, 'g'))?.join('\n') ?? ''
}

/** So many characters in a row are as good as the secret for whoever looks for it. */
const TELLING = 12

/** What to search for: parts of a secret that tell it, as they are and encoded. */
export function needlesOf({ core }: Planted): { needle: string; how: string }[] {
  const parts = [core.slice(0, TELLING), core.slice(-TELLING)]
  const needles = parts.flatMap((part) => [
    { needle: part, how: 'plain' },
    { needle: Buffer.from(part).toString('hex'), how: 'hex' },
    { needle: [...Buffer.from(part)].map((byte) => `%${byte.toString(16)}`).join(''), how: 'URL-encoded' },
    ...[0, 1, 2].map((before) => ({ needle: base64Core(part, before), how: `base64 ${before}` })),
  ])
  return needles
}

function base64Core(part: string, before: number): string {
  const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(part)])
  const whole = bytes.toString('base64').replace(/=+$/, '')
  return whole.slice(Math.ceil((before * 4) / 3), bytes.length % 3 === 0 ? whole.length : whole.length - 1)
}

/** Where in a text something of these secrets is, also over its line breaks. */
export function leaksIn(text: string, secrets: readonly Planted[]): string[] {
  const joined = text.replace(/(?:\\+n|\\+r|\s)+/g, '')
  return secrets.flatMap((secret) =>
    needlesOf(secret).flatMap(({ needle, how }) =>
      text.includes(needle) || joined.includes(needle) ? [`${secret.name} (${how})`] : [],
    ),
  )
}
