import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { writeBackup } from './backup/write.ts'
import { makeOwnData } from './own-data.ts'

const home = mkdtempSync(join(tmpdir(), 'own-data-'))
afterAll(() => rmSync(home, { recursive: true }))
const file = join(home, 'file')
writeFileSync(file, '')

test('a data directory that is a file, or below one, is named with the reason', () => {
  expect(() => makeOwnData(file)).toThrow(`The data directory ${file} cannot be made: something else has this name`)
  expect(() => makeOwnData(join(file, 'data'))).toThrow('a part of its path is a file')
})

test('a backup into a directory that is not there names it', async () => {
  writeFileSync(join(home, 'daemon.db'), '')
  await expect(writeBackup(home, join(home, 'none', 'x.db'))).rejects.toThrow(
    `${join(home, 'none')} is not a directory`,
  )
  await expect(writeBackup(home, join(file, 'x.db'))).rejects.toThrow(`${file} is not a directory`)
})
