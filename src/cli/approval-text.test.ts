import { expect, it } from 'vitest'
import { type AskedCall, callLines, shownCall } from './approval-text.ts'

const paint = (_style: unknown, text: string) => text

it('shows every line of a command, with what is hidden in it', () => {
  const command = 'git status\n\trm -rf ~\u202e\x1b[2J'
  expect(callLines({ kind: 'execute', command, detail: command }, paint)).toEqual([
    'git status',
    '    rm -rf ~\\u202e\\u001b[2J',
  ])
  const detail = `${command}\nneeds the network`
  expect(callLines({ kind: 'execute', command, detail }, paint).at(-1)).toBe('(needs the network)')
})

it('shows what a write puts into a file', () => {
  const write: AskedCall = { kind: 'edit', paths: ['a.txt'], detail: 'a.txt' }
  expect(callLines({ ...write, input: { file_path: 'a.txt', content: 'one\ntwo\n' } }, paint)).toEqual([
    'a.txt',
    '+one',
    '+two',
  ])
  const edit = { file_path: 'a.txt', old_string: 'same\nold', new_string: 'same\nnew' }
  expect(callLines({ ...write, input: edit }, paint)).toEqual(['a.txt', '@@ -2,1 +2,1 @@', '-old', '+new'])
  const patch = '*** Begin Patch\n*** Add File: a.txt\n+x\n*** End Patch'
  expect(callLines({ ...write, input: { input: patch } }, paint)).toEqual(['a.txt', ...patch.split('\n')])
})

it('shows all changes of a patch', () => {
  const changes = [
    { path: 'a', kind: { type: 'add' }, diff: 'x\n' },
    { path: 'b', kind: { type: 'update', move_path: 'c' }, diff: '@@ -1 +1 @@\n-x\n+y\n' },
    { type: 'diff', path: 'd', oldText: 'x\n', newText: 'y\n' },
  ]
  expect(callLines({ kind: 'edit', detail: '', input: { changes } }, paint)).toEqual([
    ...['add a', '+x', 'update b → c', '@@ -1 +1 @@', '-x', '+y'],
    ...['d', '@@ -1,1 +1,1 @@', '-x', '+y'],
  ])
})

it('shows the input of anything else, or else its words', () => {
  expect(callLines({ kind: 'mcp', paths: [], detail: 'x', input: { a: 1 } }, paint)).toEqual(['{', '  "a": 1', '}'])
  expect(callLines({ detail: 'one\ntwo' }, paint)).toEqual(['one', 'two'])
})

it('is no higher than a screen, and says how much is left out', () => {
  const command = Array.from({ length: 100 }, (_, index) => `echo ${index}`).join('\n')
  const call = { kind: 'execute', command, detail: command } as const
  const { lines, more } = shownCall(call, paint)
  expect(lines).toHaveLength(19)
  expect(more).toBe(81)
  expect(shownCall(call, paint, true)).toMatchObject({ more: 0, lines: { length: 100 } })
  const wide = { kind: 'execute', command: 'x'.repeat(10_000), detail: '' } as const
  expect(shownCall(wide, paint).lines).toHaveLength(19)
  expect(callLines(wide, paint).join('')).toBe(wide.command)
})
