import { expect, test } from 'vitest'
import { patchedFiles } from './patch-text.ts'

const PATCH = `*** Begin Patch
*** Add File: new.txt
+one
+two
*** Update File: src/a.ts
*** Move to: src/b.ts
@@ function x
-old
+now
*** Update File: c.ts
@@
+more
*** Delete File: gone.txt
*** End Patch
*** Update File: after the end`

test('the files that a patch names, in its order', () => {
  expect(patchedFiles(PATCH)).toEqual([
    { emit: { type: 'file_create', path: 'new.txt', byteCount: 8 } },
    { emit: { type: 'file_delete', path: 'src/a.ts' } },
    { emit: { type: 'file_patch', path: 'src/b.ts', diff: '@@ function x\n-old\n+now\n' } },
    { emit: { type: 'file_patch', path: 'c.ts', diff: '@@\n+more\n' } },
    { emit: { type: 'file_delete', path: 'gone.txt' } },
  ])
  expect(patchedFiles('no patch')).toEqual([])
})
