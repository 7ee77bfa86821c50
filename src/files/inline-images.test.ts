import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { ValidationError } from '../contract/errors.ts'
import { inlineImages } from './inline-images.ts'

const directory = mkdtempSync(join(tmpdir(), 'amux-images-'))
afterAll(() => rmSync(directory, { recursive: true }))

const image = join(directory, 'a.PNG')
writeFileSync(image, 'bytes')
const read = { base64: Buffer.from('bytes').toString('base64'), mimeType: 'image/png', name: 'a.PNG' }
const note = { filePath: '/no/such/note.txt' }

test('only images are read, and only for a form that takes them as data', () => {
  const options = { prompt: 'x', attachments: [{ filePath: image }, note] }
  expect(inlineImages(options, 'live').attachments).toEqual([read, note])
  expect(inlineImages(options, undefined)).toBe(options)
  const oneShot = { ...options, nonInteractive: true }
  expect(inlineImages(oneShot, 'live')).toBe(oneShot)
  expect(inlineImages(oneShot, 'always').attachments).toEqual([read, note])
})

test('one that is not there, or too large, is refused', () => {
  const refuse = (filePath: string) => expect(() => inlineImages({ prompt: 'x', attachments: [{ filePath }] }, 'live'))
  refuse(join(directory, 'missing.png')).toThrow(ValidationError)
  const large = join(directory, 'large.jpg')
  writeFileSync(large, '')
  truncateSync(large, 21 * 1024 * 1024)
  refuse(large).toThrow(/at most 20 MB/)
})
