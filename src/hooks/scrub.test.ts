import { mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createFind } from '../secrets/find.ts'
import { scrubFile } from './scrub.ts'
import { readEntry } from './spool-entry.ts'

test('a hook that waits keeps its form, length and time, but not its secrets', () => {
  const directory = mkdtempSync(join(tmpdir(), 'amux-scrub-'))
  const path = join(directory, 's.1.2.hook')
  const key = `ghp_${'a1B2'.repeat(9)}`
  const payload = { prompt: `use\n${key} and zwölf-geheim-9`, n: 1 }
  writeFileSync(path, `amux-hook 1 claude Stop s 1\n${JSON.stringify(payload)}`)
  utimesSync(path, 1_700_000_000, 1_700_000_000)
  const { size } = statSync(path)
  scrubFile(path, createFind(['zwölf-geheim-9']))
  const text = readFileSync(path, 'utf8')
  expect(text).not.toContain(key)
  expect(text).not.toContain('geheim')
  expect(readEntry(text)).toMatchObject({ adapter: 'claude', payload: { n: 1 } })
  expect(statSync(path).size).toBe(size)
  expect(statSync(path).mtimeMs).toBe(1_700_000_000_000)
  expect(() => scrubFile(join(directory, 'gone.hook'), createFind([]))).not.toThrow()
  rmSync(directory, { recursive: true })
})

test('what is masked is not written again', () => {
  const directory = mkdtempSync(join(tmpdir(), 'amux-scrub-'))
  const path = join(directory, 's.1.2.hook')
  writeFileSync(path, `amux-hook 1 claude Stop s 1\n{"prompt":"ghp_${'a1B2'.repeat(9)}"}`)
  scrubFile(path, createFind([]))
  const { ctimeNs } = statSync(path, { bigint: true })
  scrubFile(path, createFind([]))
  expect(statSync(path, { bigint: true }).ctimeNs).toBe(ctimeNs)
  rmSync(directory, { recursive: true })
})
