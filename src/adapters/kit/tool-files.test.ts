import { expect, test } from 'vitest'
import { fileEffects } from './tool-files.ts'
import type { ToolKind, ToolOutcome } from './tools.ts'

const outcome = (more: Partial<ToolOutcome> = {}): ToolOutcome => ({ output: '', ...more })
const emitted = (tool: ToolKind, input: unknown, more?: Partial<ToolOutcome>) =>
  fileEffects(tool, input, outcome(more)).map((effect) => ('emit' in effect ? effect.emit : effect))

test('one file that is read, or several', () => {
  expect(emitted({ kind: 'read', path: 'path' }, { path: 'a' })).toEqual([{ type: 'file_read', path: 'a' }])
  expect(emitted({ kind: 'read', path: 'files' }, { files: [{ path: 'a' }, 'b'] })).toEqual([
    { type: 'file_read', path: 'a' },
    { type: 'file_read', path: 'b' },
  ])
})

test.each([
  [{ path: 'a', old_string: 'x\ny', new_string: 'x\nz' }, '@@ -2,1 +2,1 @@\n-y\n+z\n'],
  [{ path: 'a', oldText: '', newText: 'z' }, '@@ -0,0 +1,1 @@\n+z\n'],
  [{ path: 'a', edits: [{ oldString: 'x', newString: 'y' }] }, '@@ -1,1 +1,1 @@\n-x\n+y\n'],
  [{ path: 'a' }, ''],
])('an edit without a diff of its own: %j', (input, diff) => {
  expect(emitted({ kind: 'patch', path: 'path' }, input)).toEqual([{ type: 'file_patch', path: 'a', diff }])
})

test('the diff that the agent gives, and a file that an edit has made', () => {
  const patch = { kind: 'patch', path: 'path' } as const
  const input = { path: 'a', old_text: '', new_text: 'äb' }
  expect(emitted(patch, input, { diff: 'own' })).toEqual([{ type: 'file_patch', path: 'a', diff: 'own' }])
  expect(emitted(patch, input, { created: true })).toEqual([{ type: 'file_create', path: 'a', byteCount: 3 }])
})

test('a patch that names its files, as a field or as the whole input', () => {
  const patch = '*** Begin Patch\n*** Delete File: x\n*** End Patch'
  const expected = [{ type: 'file_delete', path: 'x' }]
  expect(emitted({ kind: 'patch_text', patch: 'input' }, { input: patch })).toEqual(expected)
  expect(emitted({ kind: 'patch_text', patch: 'input' }, patch)).toEqual(expected)
})
