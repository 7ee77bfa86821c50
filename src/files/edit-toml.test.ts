import fc from 'fast-check'
import { parse } from 'smol-toml'
import { expect, test } from 'vitest'
import { deleteTomlValue, parseToml, setTomlValue } from './edit-toml.ts'

const CODEX = `# my codex
model   =  'o3' # keep me
approval_policy = "never"

# about servers
[mcp_servers.files] # first
command = "npx"
args = ["-y", "files"]
env = { A = "1" }

[projects."/work/a.b"]
trust_level = "trusted"
`

test('replaces a value and nothing else', async () => {
  expect(await setTomlValue(CODEX, ['model'], 'gpt-5')).toBe(CODEX.replace("'o3'", '"gpt-5"'))
  expect(await setTomlValue(CODEX, ['projects', '/work/a.b', 'trust_level'], 'no')).toBe(
    CODEX.replace('"trusted"', '"no"'),
  )
  expect(await setTomlValue(CODEX, ['mcp_servers', 'files', 'env', 'A'], '2')).toBe(CODEX.replace('"1"', '"2"'))
})

test('an equal value changes nothing, whatever way it is written', async () => {
  expect(await setTomlValue(CODEX, ['model'], 'o3')).toBe(CODEX)
})

test('a new table goes to the end and can be taken out again', async () => {
  const next = await setTomlValue(CODEX, ['mcp_servers', 'new one'], {
    command: 'x',
    args: ['a', 'b'],
    env: { B: '2' },
  })
  expect(next).toBe(`${CODEX}
[mcp_servers."new one"]
command = "x"
args = ["a", "b"]
env = { B = "2" }
`)
  expect(await deleteTomlValue(next, ['mcp_servers', 'new one'])).toBe(CODEX)
})

test('a table is replaced key by key, so that its comments stay', async () => {
  const next = await setTomlValue(CODEX, ['mcp_servers', 'files'], { command: 'npx', url: 'u' })
  expect(next).toBe(CODEX.replace('args = ["-y", "files"]\nenv = { A = "1" }\n', 'url = "u"\n'))
})

test.each<[string, string[], unknown, string]>([
  ['', ['a'], 1, 'a = 1\n'],
  ['# c', ['a'], 1, '# c\na = 1\n'],
  ['b = 2', ['a'], 1, 'b = 2\na = 1'],
  ['b = 2 # c\n\n[t]\n', ['a'], 1, 'b = 2 # c\na = 1\n\n[t]\n'],
  ['# head\n\n# about t\n[t]\n', ['a'], 1, '# head\n\na = 1\n\n# about t\n[t]\n'],
  ['[t]\n', ['t', 'a'], 1, '[t]\na = 1\n'],
  ['  [t] # c\n    b = 2 # d\n# e\n[u]\n', ['t', 'a'], 1, '  [t] # c\n    b = 2 # d\n    a = 1\n# e\n[u]\n'],
  ['[t.u]\nb = 2\n', ['t', 'a'], 1, '[t.u]\nb = 2\n\n[t]\na = 1\n'],
  ['[t]\nb = 2', ['u', 'v', 'a'], 1, '[t]\nb = 2\n\n[u.v]\na = 1\n'],
  ['t.b = 2\n[u]\n', ['t', 'a'], 1, 't.b = 2\nt.a = 1\n[u]\n'],
  ['[t]\nu.b = 2\n', ['t', 'u', 'v', 'a'], 1, '[t]\nu.b = 2\nu.v.a = 1\n'],
  ['[t]\nu.b = 2\n[t.u.w]\n', ['t', 'u', 'w', 'x', 'a'], 1, '[t]\nu.b = 2\n[t.u.w]\n\n[t.u.w.x]\na = 1\n'],
  ['t = {}\n', ['t', 'a'], 1, 't = { a = 1 }\n'],
  ['t = { b = 2 } # c\n', ['t', 'a'], 1, 't = { b = 2, a = 1 } # c\n'],
  ['t = { b.c = 2 }\n', ['t', 'b', 'a'], 1, 't = { b.c = 2, b.a = 1 }\n'],
  ['a = [\n  1, # one\n]\nb = 2\n', ['a'], 'x', 'a = "x"\nb = 2\n'],
  ['a = 1\r\n', ['b', 'c'], true, 'a = 1\r\n\r\n[b]\r\nc = true\r\n'],
  ['\uFEFFa = 1\n', ['a'], 2, '\uFEFFa = 2\n'],
  ['[t]\na = 1\n[u]\n', ['t'], 5, 't = 5\n\n[u]\n'],
  ['[[h]]\na = 1\n[[h]]\n[h.s]\n[u]\n', ['h'], [], 'h = []\n\n[u]\n'],
  [
    '',
    ['t', 'x y'],
    { d: [{ k: 'v', none: undefined }], 'q"': '\u007f\n' },
    '[t."x y"]\nd = [{ k = "v" }]\n"q\\"" = "\\u007F\\n"\n',
  ],
])('sets in %j %j', async (text, path, value, expected) => {
  expect(await setTomlValue(text, path, value)).toBe(expected)
})

test.each<[string, string[], string]>([
  ['a = 1', ['a'], ''],
  ['b = 2\na = 0', ['a'], 'b = 2'],
  ['b = 2\n\na = 1', ['a'], 'b = 2\n'],
  ['b = 2\r\na = 1\r\nc = 3\r\n', ['a'], 'b = 2\r\nc = 3\r\n'],
  ['# x\na = 1 # y\nb = 2\n', ['a'], '# x\n# y\nb = 2\n'],
  ['t = { a = 1 }\n', ['t', 'a'], 't = { }\n'],
  ['t = { a = 1, b = 2 }\n', ['t', 'a'], 't = { b = 2 }\n'],
  ['t = { b = 2, a = 1 }\n', ['t', 'a'], 't = { b = 2 }\n'],
  ['t = { a.x = 1, b = 2, a.y = 3 }\n', ['t', 'a'], 't = { b = 2 }\n'],
  ['t.a = 1\nt.b = 2\n', ['t'], ''],
  ['x = 1\n\n[t]\na = 1\n\n[t.u]\nb = 2\n\n[v]\n', ['t'], 'x = 1\n\n[v]\n'],
  ['[[h]]\na = 1\n[h.s]\nb = 1\n[[h]] # c\na = 2\n[v]\n', ['h'], '# c\n[v]\n'],
  ['b = 2\n', ['a'], 'b = 2\n'],
])('deletes from %j %j', async (text, path, expected) => {
  expect(await deleteTomlValue(text, path)).toBe(expected)
})

test.each(['a = ', 'a = 1\na = 2', '[t', 'a = 1\n[a]\n', '= 1'])('refuses %j with its place', async (text) => {
  const expected = {
    code: 'CONFIG_ERROR',
    message: expect.stringMatching(/^c\.toml:\d+:\d+ /),
    hint: expect.any(String),
  }
  await expect(setTomlValue(text, ['x'], 2, 'c.toml')).rejects.toMatchObject(expected)
  await expect(deleteTomlValue(text, ['x'], 'c.toml')).rejects.toMatchObject(expected)
  await expect(parseToml(text, 'c.toml')).rejects.toMatchObject(expected)
})

test('a parse failure names line and column, and does not quote the file', async () => {
  const error: unknown = await parseToml('a = 1\nkey = "secret" oops\n', 'c.toml').catch((reason) => reason)
  expect(String(error)).toMatch(/c\.toml:2:\d+ /)
  expect(String(error)).not.toContain('secret')
})

test('refuses what has no place to go or no form', async () => {
  for (const [text, path, value] of [
    ['a = 1\n', ['a', 'b'], 1],
    ['[[a]]\nb = 1\n', ['a', 'b'], 1],
    ['', ['a'], null],
    ['', ['a'], undefined],
    ['', [], 1],
    ['', ['__proto__'], 1],
  ] as const) {
    await expect(setTomlValue(text, path, value)).rejects.toMatchObject({ code: 'CONFIG_ERROR' })
  }
})

test('dates and large integers are plain data, and stay as written', async () => {
  const text = 'd = 1979-05-27\nbig = 9223372036854775807\n'
  expect(await parseToml(text, 'x')).toEqual({ d: '1979-05-27', big: 2 ** 63 })
  expect(await setTomlValue(text, ['a'], 2 ** 60)).toBe(`${text}a = 1152921504606847000.0\n`)
})

const keys = fc.constantFrom('a', 'b', 'c', 'd.e', 'f g')
const keyPaths = fc.array(keys, { minLength: 1, maxLength: 3 })
const dotted = keyPaths.map((path) => path.map((key) => (/^\w+$/.test(key) ? key : `"${key}"`)).join('.'))
const literals = fc.constantFrom(
  '1',
  '0',
  '-0.0',
  '+1_0e5',
  '0x1F',
  '07:32:00',
  'true',
  "''",
  "'# no comment'",
  '"""two\n# lines"""',
  '[1, [2]]',
  '[\n  "x",\n  "y"\n]',
  '{}',
  '{ a = 1 }',
  '{a.b=1, c={a=2}}',
  '{\n a = 1,\n}',
  '1979-05-27T07:32:00Z',
  '[{ a = 1 }]',
)
const statements = fc.oneof(
  fc.tuple(dotted, literals).map(([key, literal]) => `${key}=${literal}`),
  fc.tuple(dotted, literals).map(([key, literal]) => `  ${key}  =  ${literal}`),
  dotted.map((key) => `[${key}]`),
  dotted.map((key) => `[[ ${key} ]]`),
)

/** Statements are kept as long as they fit together; every line has its own comment above or beside it. */
const documents = fc
  .tuple(
    fc.array(fc.tuple(statements, fc.nat({ max: 3 })), { maxLength: 12 }),
    fc.constantFrom('\n', '\r\n'),
    fc.boolean(),
  )
  .map(([list, eol, ended]) => {
    let text = ''
    let comments = 0
    for (const [statement, style] of list) {
      const comment = `# c${comments}.`
      const line =
        [statement, `${statement} ${comment}`, `${comment}${eol}${statement}`, `${eol}${statement}`][style] ?? ''
      const next = text + line.replace(/\r?\n/g, eol) + eol
      try {
        parse(next)
        text = next
        comments += style === 1 || style === 2 ? 1 : 0
      } catch {}
    }
    return {
      text: ended ? text : text.replace(/\r?\n$/, ''),
      comments: Array.from({ length: comments }, (_, i) => `# c${i}.`),
    }
  })

const isTable = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function plain(text: string): unknown {
  return JSON.parse(JSON.stringify(parse(text)))
}

function at(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((below, key) => (isTable(below) ? below[key] : undefined), value)
}

function assign(value: unknown, [key = '', ...rest]: readonly string[], to: unknown): unknown {
  const table = isTable(value) ? value : {}
  return { ...table, [key]: rest.length === 0 ? to : assign(table[key], rest, to) }
}

const withoutSpace = (text: string) => text.replace(/\s+/g, '')

function isSubsequence(part: string, whole: string): boolean {
  let index = 0
  for (const char of whole) if (char === part[index]) index += 1
  return index === part.length
}

const values = fc.oneof(
  fc.constantFrom<unknown>('x', 1, 0.5, true, [], {}, ['p', 'q'], { a: 1 }, { a: { b: [{ c: 1 }] }, 'd.e': '' }),
  fc.string({ unit: 'grapheme' }),
  fc.double({ noNaN: true, noDefaultInfinity: true }).filter((value) => !Object.is(value, -0)),
)

const isBlocked = (value: unknown, path: readonly string[]) =>
  path.slice(0, -1).some((_, index) => {
    const above = at(value, path.slice(0, index + 1))
    return above !== undefined && !isTable(above)
  })

test('any document: the key is set, every other value and every comment is still there', async () => {
  await fc.assert(
    fc.asyncProperty(documents, keyPaths, values, async ({ text, comments }, path, to) => {
      const before = plain(text)
      if (isBlocked(before, path)) {
        await expect(setTomlValue(text, path, to)).rejects.toMatchObject({ code: 'CONFIG_ERROR' })
        return
      }
      const next = await setTomlValue(text, path, to)
      expect(plain(next)).toEqual(assign(before, path, to))
      for (const comment of comments) expect(next).toContain(comment)
      if (at(before, path) === undefined) expect(isSubsequence(withoutSpace(text), withoutSpace(next))).toBe(true)
    }),
    { numRuns: 500 },
  )
})

test('any document: what was set can be deleted again, and the comments are still there', async () => {
  await fc.assert(
    fc.asyncProperty(documents, keyPaths, values, async ({ text, comments }, path, to) => {
      const before = plain(text)
      const made = path.findIndex((_, index) => at(before, path.slice(0, index + 1)) === undefined)
      fc.pre(made !== -1 && !isBlocked(before, path))
      const next = await deleteTomlValue(await setTomlValue(text, path, to), path.slice(0, made + 1))
      expect(plain(next)).toEqual(before)
      for (const comment of comments) expect(next).toContain(comment)
    }),
    { numRuns: 300 },
  )
})

test('any document: deleting takes one key and leaves the rest and the comments', async () => {
  await fc.assert(
    fc.asyncProperty(documents, keyPaths, async ({ text, comments }, path) => {
      const before = plain(text)
      const old = at(before, path)
      fc.pre(old !== undefined)
      const next = await deleteTomlValue(text, path)
      expect(at(plain(next), path)).toBeUndefined()
      expect(assign(plain(next), path, old)).toEqual(before)
      for (const comment of comments) expect(next).toContain(comment)
    }),
    { numRuns: 300 },
  )
})
