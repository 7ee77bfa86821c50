import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import type { Policy } from '../contract/policy.ts'
import { decide } from '../core/policy/decide.ts'
import { policyPlace } from './policy-paths.ts'

const base = realpathSync(mkdtempSync(join(tmpdir(), 'amux-policy-')))
afterAll(() => rmSync(base, { recursive: true }))

const work = join(base, 'work')
mkdirSync(join(work, 'src/deep'), { recursive: true })
mkdirSync(join(base, 'other/sub'), { recursive: true })
writeFileSync(join(work, 'src/file'), '')
symlinkSync(join(base, 'other'), join(work, 'src/out'))
symlinkSync(join(base, 'other/sub'), join(work, 'src/deep/link'))
symlinkSync('../../other/not-there', join(work, 'src/dangling'))
symlinkSync('src/file', join(work, 'alias'))
symlinkSync('loop', join(work, 'src/loop'))
symlinkSync(work, join(base, 'linked-work'))

const POLICY: Policy = {
  version: 1,
  rules: [{ allow: { kind: 'edit', path: 'src/**' } }, { deny: { path: '../other/**' } }],
}
const verdict = (path: string, cwd = work) => decide(POLICY, { kind: 'edit', paths: [path] }, policyPlace(cwd)).decision

test.each([
  ['src/new', 'allow'],
  ['src/new/deeper', 'allow'],
  [join(work, 'src/file'), 'allow'],
  [join(base, 'linked-work/src/file'), 'allow'],
  ['src/out/x', 'deny'],
  ['src/dangling', 'deny'],
  ['src/../src/out/x', 'deny'],
  // The system goes to other/x, a program that resolves the text itself to src/deep/x.
  ['src/deep/link/../x', 'deny'],
  ['src/deep/link/../../work/src/x', 'allow'],
  ['alias', 'ask'],
  ['src/../x', 'ask'],
  ['/etc/passwd', 'ask'],
  ['src/loop', 'allow'],
])('%s: %s', (path, decision) => {
  expect(verdict(path)).toBe(decision)
  expect(verdict(path, join(base, 'linked-work'))).toBe(decision)
})
