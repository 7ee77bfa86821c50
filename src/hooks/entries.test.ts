import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ENTRIES, KINDS } from '../../test/support/hook-entries.ts'
import { times } from '../../test/support/times.ts'
import type { SharedHookFile } from '../contract/hooks.ts'
import { documentFormat } from '../files/documents.ts'
import { addEntries, hasExactly, hasOurs } from './entries.ts'
import { digest, withoutOurs } from './undo.ts'

const withoutSpace = (text: string) => text.replace(/\s+/g, '')

function isSubsequence(part: string, whole: string): boolean {
  let index = 0
  for (const char of whole) if (char === part[index]) index += 1
  return index === part.length
}

/** What was empty before cannot be distinguished from what is empty without us. */
function withoutEmpty(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const entries = Object.entries(value).map(([key, item]): [string, unknown] => [key, withoutEmpty(item)])
  const kept = entries.filter(([, item]) => !['{}', '[]', 'null', undefined].includes(JSON.stringify(item)))
  return Object.fromEntries(kept)
}

describe.each(KINDS)('any %s text of a user', (format, files) => {
  const file: SharedHookFile = { kind: 'shared', path: 'x', format, entries: ENTRIES[format] }
  const { parse } = documentFormat(format)

  test('keeps every byte of its own, and gets back all of them', async () => {
    await fc.assert(
      fc.asyncProperty(files, async ({ text, comments }) => {
        const added = await addEntries(text, file)
        expect(hasExactly(await parse(added.text, 'x'), file.entries)).toBe(true)
        expect(isSubsequence(withoutSpace(text), withoutSpace(added.text))).toBe(true)
        for (const comment of comments) expect(added.text).toContain(comment)
        if (text.includes('\r\n')) expect(added.text.replaceAll('\r\n', '')).not.toContain('\n')
        const done = { format, created: false, steps: added.steps, after: digest(added.text) }
        expect(await withoutOurs(added.text, 'x', done)).toBe(text)
      }),
      { numRuns: times(100, 300) },
    )
  })

  test('keeps what the user changes while our hooks are there', async () => {
    const later = format === 'json' ? '/* later */' : '# later\n'
    await fc.assert(
      fc.asyncProperty(files, async ({ text }) => {
        fc.pre(!text.startsWith('\uFEFF'))
        const added = await addEntries(text, file)
        const done = { format, created: false, steps: added.steps, after: digest(added.text) }
        expect(await withoutOurs(later + added.text, 'x', done)).toBe(later + text)
      }),
      { numRuns: times(50, 150) },
    )
  })

  test('is cleaned by the mark when nobody remembers', async () => {
    await fc.assert(
      fc.asyncProperty(files, async ({ text, comments }) => {
        const added = await addEntries(text, file)
        const left = (await withoutOurs(added.text, 'x', { format, created: false, steps: [], after: '' })) ?? ''
        expect(withoutEmpty((await parse(left, 'x')) ?? {})).toEqual(withoutEmpty((await parse(text, 'x')) ?? {}))
        for (const comment of comments) expect(left).toContain(comment)
        expect(hasOurs(await parse(left, 'x'))).toBe(false)
        expect(left).not.toContain('amux-hook')
      }),
      { numRuns: times(50, 150) },
    )
  })
})
