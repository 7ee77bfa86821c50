import { expect, test } from 'vitest'
import { plain } from './output.ts'
import { details, headings, table } from './table.ts'
import { displayWidth } from './text.ts'

const AGENTS = [
  headings(['AGENT', 'NAME', 'VERSION', 'AUTH', 'PATH'], { whole: ['AGENT'], optional: ['NAME', 'PATH'] }),
  [
    'agent-mux-remote',
    'agent-mux (remote)',
    '0.1.0',
    'unknown: where it keeps its login is not known',
    '/usr/bin/amux',
  ],
  ['claude', 'Claude Code', '2.1.325', 'authenticated', '/usr/local/bin/claude'],
]

test.each([40, 60, 80, 160])('a table never wraps on a terminal of %i columns, and its names stay whole', (width) => {
  const lines = table(AGENTS, plain, width).trimEnd().split('\n')
  for (const line of lines) expect(displayWidth(line), line).toBeLessThanOrEqual(width)
  expect(lines[1]).toContain('agent-mux-remote ')
})

test('what is optional is left out, the last first, only where there is no room', () => {
  const [header = ''] = table(AGENTS, plain, 40).split('\n')
  expect(header.split(/ +/)).toEqual(['AGENT', 'VERSION', 'AUTH'])
  expect(table(AGENTS, plain, 48)).toContain('NAME')
  expect(table(AGENTS, plain, 48)).not.toContain('PATH')
  expect(table(AGENTS, plain, Number.POSITIVE_INFINITY)).toContain('/usr/local/bin/claude')
})

test('what is known of one thing is wrapped below itself, and never cut', () => {
  const rows: [string, string][] = [
    ['  state', 'blocked for 27s: asks for a permission: Write: scripted.txt, by its protocol'],
    ['  transcript', 'claude:54422514-1c17-4407-9f4c-af4dbafe6666'],
  ]
  const narrow = details(rows, plain, 40)
  for (const line of narrow.split('\n')) expect(displayWidth(line), line).toBeLessThanOrEqual(40)
  expect(narrow.replace(/\s+/g, '')).toBe(details(rows, plain, Number.POSITIVE_INFINITY).replace(/\s+/g, ''))
  expect(narrow.split('\n')[1]).toMatch(/^ {14}\S/)
})
