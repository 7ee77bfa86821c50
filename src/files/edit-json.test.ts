import fc from 'fast-check'
import { expect, test } from 'vitest'
import { deleteJsonValue, parseJsonc, setJsonValue } from './edit-json.ts'

const SETTINGS = `// header
{
  // about the model
  "model": "opus", // trailing
  "permissions": {
    "allow": ["Bash(ls)"], /* inner */
    "deny": []
  },
  "odd":   [1,2 , 3] // last
}
`

test('replaces a value and nothing else', async () => {
  expect(await setJsonValue(SETTINGS, ['model'], 'haiku')).toBe(SETTINGS.replace('"opus"', '"haiku"'))
  expect(await setJsonValue(SETTINGS, ['permissions', 'deny'], ['x'])).toBe(
    SETTINGS.replace('[]', '[\n      "x"\n    ]'),
  )
})

test('a new key goes below the last one, whose comment stays with it', async () => {
  const next = await setJsonValue(SETTINGS, ['env', 'A'], '1')
  expect(next).toBe(SETTINGS.replace('3] // last', '3], // last\n  "env": {\n    "A": "1"\n  }'))
  expect(await deleteJsonValue(next, ['env'])).toBe(SETTINGS)
})

test.each([
  ['', '{\n  "a": 1\n}\n'],
  ['\n', '{\n  "a": 1\n}\n'],
  ['// only a comment', '// only a comment\n{\n  "a": 1\n}\n'],
  ['{}', '{\n  "a": 1\n}'],
  ['{ /* c */ }', '{ /* c */\n  "a": 1\n}'],
  ['{"b":2}', '{"b":2,"a":1}'],
  ['{ "b": 2, }', '{ "b": 2, "a": 1, }'],
  ['{\n\t"b": 2, // c\n}', '{\n\t"b": 2, // c\n\t"a": 1,\n}'],
  ['{\r\n    "b": 2\r\n}\r\n', '{\r\n    "b": 2,\r\n    "a": 1\r\n}\r\n'],
  ['\uFEFF{"b":2}', '\uFEFF{"b":2,"a":1}'],
  ['{"a":0,"a":2}', '{"a":0,"a":1}'],
])('sets in %j', async (text, expected) => {
  expect(await setJsonValue(text, ['a'], 1)).toBe(expected)
})

test.each([
  ['{"a":1}', '{}'],
  ['{"a": 1,}', '{}'],
  ['{ "a": 1, "b": 2 }', '{ "b": 2 }'],
  ['{ "b": 2, "a": 1 }', '{ "b": 2 }'],
  ['{ "b": 2, "a": 1, }', '{ "b": 2, }'],
  ['{\n  // x\n  "a": 1, // y\n  "b": 2\n}', '{\n  // x\n  // y\n  "b": 2\n}'],
  ['{\n  "b": 2, // y\n  "a": 1\n}', '{\n  "b": 2 // y\n}'],
  ['{"a":0,"b":2,"a":1}', '{"b":2}'],
  ['{"b":2}', '{"b":2}'],
  ['', ''],
])('deletes from %j', async (text, expected) => {
  expect(await deleteJsonValue(text, ['a'])).toBe(expected)
})

test.each(['{', '{"a":1} x', '{"a" 1}', '[', '"', '{"a":1,,}'])('refuses %j with its place', async (text) => {
  const expected = { code: 'CONFIG_ERROR', message: expect.stringMatching(/^s\.json:1:\d+ /), hint: expect.any(String) }
  await expect(setJsonValue(text, ['a'], 2, 's.json')).rejects.toMatchObject(expected)
  await expect(deleteJsonValue(text, ['a'], 's.json')).rejects.toMatchObject(expected)
  await expect(parseJsonc(text, 's.json')).rejects.toMatchObject(expected)
})

test('names line and column, and does not quote the file', async () => {
  const failure = parseJsonc('{\n  "token": "secret" oops\n}', 's.json')
  await expect(failure).rejects.toMatchObject({ message: expect.stringMatching(/^s\.json:2:21 /) })
  await expect(failure).rejects.not.toMatchObject({ message: expect.stringContaining('secret') })
})

test('refuses what has no place to go', async () => {
  for (const [text, path, value] of [
    ['{"a":"x"}', ['a', 'b'], 1],
    ['{"a":[{"b":1}]}', ['a', 'b'], 1],
    ['[1]', ['a'], 1],
    ['{}', [], 1],
    ['{}', ['__proto__', 'x'], 1],
    ['{}', ['a'], undefined],
  ] as const) {
    await expect(setJsonValue(text, path, value)).rejects.toMatchObject({ code: 'CONFIG_ERROR' })
  }
  expect(Object.hasOwn(Object.prototype, 'x')).toBe(false)
})

/** A random document with comments and odd spacing, its value, and its comments. */
const documents = fc.gen().map((gen) => {
  const comments: string[] = []
  const trivia = (): string => {
    const kind = gen(fc.nat, { max: 9 })
    const name = `c${comments.length}`
    if (kind === 0) comments.push(`/* ${name}, " */`)
    else if (kind === 1) comments.push(`// ${name} } "`)
    else return ['', '', ' ', '\n', '\n  ', '\t', '\n\n', ' '][kind - 2] ?? ''
    return kind === 1 ? `${comments.at(-1)}\n` : (comments.at(-1) ?? '')
  }
  const list = (open: string, items: string[], close: string): string => {
    const inside = items.map((item) => trivia() + item + trivia()).join(',')
    return open + inside + (items.length > 0 && gen(fc.boolean) ? `,${trivia()}` : trivia()) + close
  }
  const build = (depth: number): { text: string; value: unknown } => {
    const kind = depth === 0 ? 0 : gen(fc.nat, { max: depth > 3 ? 3 : 7 })
    if (kind === 0 || kind > 5) {
      const keys = gen(fc.uniqueArray, fc.constantFrom('a', 'b', 'c', 'd.e', 'f"', ''), { maxLength: 4 })
      const items = keys.map((key) => ({ key, ...build(depth + 1) }))
      const pairs = items.map(({ key, text }) => `${JSON.stringify(key)}${trivia()}:${trivia()}${text}`)
      return { text: list('{', pairs, '}'), value: Object.fromEntries(items.map(({ key, value }) => [key, value])) }
    }
    if (kind === 4) {
      const items = Array.from({ length: gen(fc.nat, { max: 3 }) }, () => build(depth + 1))
      return {
        text: list(
          '[',
          items.map(({ text }) => text),
          ']',
        ),
        value: items.map(({ value }) => value),
      }
    }
    const value = gen(fc.constantFrom, 'text // not a comment', 1.5, true, null, -3, '')
    return { text: JSON.stringify(value), value }
  }
  const { text, value } = build(0)
  const whole = trivia() + text + trivia()
  return { text: whole, value, comments }
})

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function at(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((below, key) => (isObject(below) ? below[key] : undefined), value)
}

function assign(value: unknown, [key = '', ...rest]: readonly string[], to: unknown): unknown {
  const table = isObject(value) ? value : {}
  return { ...table, [key]: rest.length === 0 ? to : assign(table[key], rest, to) }
}

const withoutSpace = (text: string) => text.replace(/\s+/g, '')

function isSubsequence(part: string, whole: string): boolean {
  let index = 0
  for (const char of whole) if (char === part[index]) index += 1
  return index === part.length
}

const paths = fc.array(fc.constantFrom('a', 'b', 'c', 'd.e', 'new'), { minLength: 1, maxLength: 3 })
// A value with a key `__proto__` cannot be read back by jsonc-parser, so the editor refuses it.
const values = fc
  .oneof(fc.jsonValue({ maxDepth: 2 }), fc.constantFrom('x', 1, ['p', 'q'], { k: { l: [] } }))
  .filter((value) => !JSON.stringify(value).includes('__proto__'))

test('any document: the key is set, every other value and every comment is still there', async () => {
  await fc.assert(
    fc.asyncProperty(documents, paths, values, async ({ text, value, comments }, path, to) => {
      const blocked = path.slice(0, -1).some((_, index) => {
        const above = at(value, path.slice(0, index + 1))
        return above !== undefined && !isObject(above)
      })
      if (blocked) {
        await expect(setJsonValue(text, path, to)).rejects.toMatchObject({ code: 'CONFIG_ERROR' })
        return
      }
      const old = at(value, path)
      const next = await setJsonValue(text, path, to)
      const plain: unknown = JSON.parse(JSON.stringify(to))
      expect(await parseJsonc(next, 'x')).toEqual(assign(value, path, plain))
      // What was inside a list or table that is replaced goes with it.
      if (typeof old === 'object' && old !== null) return
      for (const comment of comments) expect(next).toContain(comment)
      if (old === undefined) expect(isSubsequence(withoutSpace(text), withoutSpace(next))).toBe(true)
    }),
    { numRuns: 400 },
  )
})

test('any document: what was set can be deleted again, and the comments are still there', async () => {
  await fc.assert(
    fc.asyncProperty(documents, paths, values, async ({ text, value, comments }, path, to) => {
      const made = path.findIndex((_, index) => at(value, path.slice(0, index + 1)) === undefined)
      fc.pre(made !== -1 && isObject(at(value, path.slice(0, made))))
      const next = await deleteJsonValue(await setJsonValue(text, path, to), path.slice(0, made + 1))
      expect(await parseJsonc(next, 'x')).toEqual(value)
      for (const comment of comments) expect(next).toContain(comment)
    }),
    { numRuns: 400 },
  )
})

test('any document: deleting takes one key and leaves the rest', async () => {
  await fc.assert(
    fc.asyncProperty(documents, paths, async ({ text, value }, path) => {
      fc.pre(at(value, path) !== undefined)
      const next = await deleteJsonValue(text, path)
      const after = await parseJsonc(next, 'x')
      expect(at(after, path)).toBeUndefined()
      expect(assign(after, path, at(value, path))).toEqual(value)
    }),
    { numRuns: 300 },
  )
})
