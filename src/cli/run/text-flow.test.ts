import { expect, test } from 'vitest'
import { type Paint, plain } from '../output.ts'
import { displayWidth } from '../text.ts'
import { TextFlow, wrapWords } from './text-flow.ts'

/** Styles that can be seen. */
const seen: Paint = (style, text) => `<${style}>${text}</>`

const TEXT = `# A heading

A paragraph with **bold words**, \`code with spaces\` and src/**/*.ts as it is.

- first point, which goes on for longer than a line has room
  - inner
1. numbered

> quoted

\`\`\`ts
const x = 1   // kept as it is
\`\`\`
end`

function flow(text: string, size: number, width: number, paint: Paint = plain, markdown = true): string {
  const one = new TextFlow({ width, paint, markdown })
  let out = ''
  for (let at = 0; at < text.length; at += size) out += one.push(text.slice(at, at + size))
  return out + one.end()
}

test('Markdown as it is meant', () => {
  expect(`\n${flow(TEXT, 7, 60, seen)}`).toMatchInlineSnapshot(`
    "
    <bold>A</> <bold>heading</>

    A paragraph with <bold>bold</> <bold>words</>, <cyan>code</> <cyan>with</> <cyan>spaces</> and
    src/**/*.ts as it is.

    <cyan>•</> first point, which goes on for longer than a line has room
      <cyan>•</> inner
    <cyan>1.</> numbered

    <dim>│</> quoted

      <cyan>const x = 1   // kept as it is</>
    end"
  `)
})

test('the same, however it is cut', () => {
  const whole = flow(TEXT, TEXT.length, 30, seen)
  for (const size of [1, 2, 3, 5, 11]) expect(flow(TEXT, size, 30, seen)).toBe(whole)
})

test('no line is wider than the terminal, and no word is broken that fits on a line', () => {
  for (const width of [20, 40, 80]) {
    const lines = flow(TEXT.replaceAll('```', ''), 4, width).split('\n')
    for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(width)
  }
  expect(flow('one two three', 3, 8, plain, false)).toBe('one two\nthree')
  expect(flow('abcdefghij klm', 3, 4, plain, false)).toBe('abcd\nefgh\nij\nklm')
  expect(flow('修复登录页面的错误', 2, 8, plain, false)).toBe('修复登录\n页面的错\n误')
})

test('without Markdown the text stays as it is, but for its lines', () => {
  expect(flow('# a **b**\n\n- c\n  d', 2, 40, seen, false)).toBe('# a **b**\n\n- c\n  d')
})

test('what continues a line is indented', () => {
  expect(wrapWords('! one two three four', 10, '  ', plain)).toBe('! one two\n  three\n  four')
})
