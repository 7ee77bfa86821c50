import fc from 'fast-check'
import { parse as parseToml } from 'smol-toml'

/** Settings files as people write them: comments, odd formatting, hooks of their own, any line end, a byte order mark. */
export interface UserFile {
  text: string
  comments: string[]
}

const EVENTS = ['SessionStart', 'Stop', 'PreToolUse', 'Other']

export const jsonSettings: fc.Arbitrary<UserFile> = fc.gen().map((gen): UserFile => {
  const comments: string[] = []
  const eol = gen(fc.constantFrom, '\n', '\r\n')
  const trivia = (): string => {
    const kind = gen(fc.nat, { max: 9 })
    if (kind < 4) return ''
    if (kind < 7) return gen(fc.constantFrom, ' ', eol, `${eol}  `, `${eol}\t`, '  ')
    const comment = kind < 9 ? `/* c${comments.length}. */` : `// c${comments.length}.`
    comments.push(comment)
    return kind < 9 ? comment : comment + eol
  }
  const list = (open: string, items: string[], close: string): string => {
    const inside = items.map((item) => trivia() + item + trivia()).join(',')
    return open + inside + (items.length > 0 && gen(fc.boolean) ? `,${trivia()}` : trivia()) + close
  }
  const object = (pairs: [string, string][]): string =>
    list(
      '{',
      pairs.map(([key, value]) => `${JSON.stringify(key)}${trivia()}:${trivia()}${value}`),
      '}',
    )
  const command = (): string =>
    object([
      ['type', '"command"'],
      ['command', JSON.stringify('say "hi" // there')],
    ])
  const group = (): string => {
    const hooks: [string, string] = ['hooks', list('[', gen(fc.boolean) ? [command()] : [command(), command()], ']')]
    return object(gen(fc.boolean) ? [['matcher', '"*"'], hooks] : [hooks])
  }
  const event = (): string => list('[', Array.from({ length: gen(fc.nat, { max: 2 }) }, group), ']')
  const hooks = (): string =>
    object(gen(fc.uniqueArray, fc.constantFrom(...EVENTS), { maxLength: 3 }).map((name) => [String(name), event()]))
  const pairs: [string, string][] = [
    ['model', '"opus"'],
    ['hooks', hooks()],
    ['permissions', object([['allow', list('[', ['"Bash(ls:*)"'], ']')]])],
  ]
  const chosen = gen(fc.shuffledSubarray, pairs)
  const whole = trivia() + object(chosen) + trivia() + (gen(fc.boolean) ? eol : '')
  const kept = comments.filter((comment) => whole.includes(comment))
  return { text: (gen(fc.boolean) ? '\uFEFF' : '') + whole, comments: kept }
})

const statements = fc.constantFrom(
  'default_model = "x"',
  'telemetry=false',
  '[providers.mock]',
  'base_url   = "http://localhost"',
  '[[hooks]]',
  'event = "Stop"',
  'command = "say hi"',
  '[models."a/b"]',
  'name = """two\n# lines"""',
  'hooks = [{ event = "Stop", command = "x" }]',
  'hooks = []',
)

export const tomlSettings: fc.Arbitrary<UserFile> = fc
  .tuple(
    fc.array(fc.tuple(statements, fc.nat({ max: 3 })), { maxLength: 12 }),
    fc.constantFrom('\n', '\r\n'),
    fc.boolean(),
    fc.boolean(),
  )
  .map(([list, eol, ended, bom]) => {
    let text = ''
    let comments = 0
    for (const [statement, style] of list) {
      const comment = `# c${comments}.`
      const forms = [statement, `${statement} ${comment}`, `${comment}${eol}${statement}`, `${eol}  ${statement}`]
      const next = text + (forms[style] ?? '').replace(/\r?\n/g, eol) + eol
      if (!parses(next)) continue
      text = next
      comments += style === 1 || style === 2 ? 1 : 0
    }
    const body = ended ? text : text.replace(/\r?\n$/, '')
    return { text: bom ? `\uFEFF${body}` : body, comments: Array.from({ length: comments }, (_, i) => `# c${i}.`) }
  })

function parses(text: string): boolean {
  try {
    parseToml(text)
    return true
  } catch {
    return false
  }
}

export const yamlSettings: fc.Arbitrary<UserFile> = fc
  .tuple(
    fc.shuffledSubarray([
      'model: opus # c0.\n',
      '# c1.\nproviders:\n    mock:\n        url:   "http://x"\n',
      "list: [1,   2]\nname: 'q'\n",
      'hooks:\n  pre_tool_call:\n  - command: say hi # c2.\n  # c3.\n  - command: say ho\n',
    ]),
    fc.boolean(),
    fc.constantFrom('\n', '\r\n'),
  )
  .map(([parts, ended, eol]) => {
    const text = ended ? parts.join('') : parts.join('').trimEnd()
    const comments = ['# c0.', '# c1.', '# c2.', '# c3.'].filter((comment) => text.includes(comment))
    return { text: text.replaceAll('\n', eol), comments }
  })
