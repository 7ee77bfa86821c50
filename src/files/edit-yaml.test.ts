import { describe, expect, test } from 'vitest'
import { deleteYamlValue, parseYaml, setYamlValue } from './edit-yaml.ts'

const TEXT = `# mine
modelRoles:
  default: a/b # the good one
tools:
  # be careful
  approvalMode: yolo
list: [1, 2]
`

describe('setting a value', () => {
  test('keeps comments and everything else', async () => {
    expect(await setYamlValue(TEXT, ['modelRoles', 'default'], 'c/d')).toBe(TEXT.replace('a/b', 'c/d'))
  })

  test('makes what is missing, in an empty file too', async () => {
    expect(await setYamlValue('', ['a', 'b'], [1])).toBe('a:\n  b:\n    - 1\n')
    expect(await setYamlValue('# only this\n', ['a'], true)).toBe('# only this\n\na: true\n')
  })

  test('a key with a dot is one key, and odd texts come back', async () => {
    for (const value of ['no', '1.0', 'a: b', "it's #1", '', '\u2028', 'two\nlines\n']) {
      const text = await setYamlValue(TEXT, ['x.y'], value)
      expect(await parseYaml(text, 'f')).toMatchObject({ 'x.y': value, list: [1, 2] })
    }
  })

  test('JSON is YAML', async () => {
    const text = await setYamlValue('{"a": {"b": 1}}', ['a', 'c'], 2)
    expect(await parseYaml(text, 'f')).toEqual({ a: { b: 1, c: 2 } })
  })

  test.each([
    [TEXT, ['list', 'x']],
    ['- a\n', ['x']],
    [TEXT, []],
    [TEXT, ['__proto__']],
    // The value is in two places.
    ['a: &x\n  b: 1\nc: *x\n', ['a', 'b']],
  ])('refuses %j at %j', async (text, keyPath) => {
    await expect(setYamlValue(text, keyPath, 2)).rejects.toMatchObject({ code: 'CONFIG_ERROR' })
  })
})

test('taking a key out takes the empty tables above it, and no comment elsewhere', async () => {
  expect(await deleteYamlValue(TEXT, ['modelRoles', 'default'])).not.toContain('modelRoles')
  expect(await deleteYamlValue(TEXT, ['list'])).toBe(TEXT.replace('list: [1, 2]\n', ''))
  expect(await deleteYamlValue(TEXT, ['nothing', 'here'])).toBe(TEXT)
})

test('a broken file is reported with the position, without its text', async () => {
  const error = await parseYaml('a: 1\nb: "sk-secret\n', 'config.yml').catch((caught: unknown) => String(caught))
  expect(error).toMatch(/config\.yml:\d+:\d+ cannot be read/)
  expect(error).not.toContain('sk-secret')
})
