import { expect, test } from 'vitest'
import { openEnvelope } from './envelope.ts'

test.each([
  [
    { ms: 1, dir: 'a->c', msg: { x: 1 } },
    { from: 'agent', message: { x: 1 } },
  ],
  [
    { t: 1, dir: 'in', rec: { x: 1 } },
    { from: 'client', message: { x: 1 } },
  ],
  [
    { t: 1, dir: 'note', msg: 'started' },
    { from: 'recorder', message: {} },
  ],
  [
    { t: 1, raw: { type: 'server.connected' } },
    { from: 'agent', message: { type: 'server.connected' } },
  ],
  [{ t: 1, raw: { x: 1 }, type: 'own' }, null],
  [{ type: 'own', dir: '/tmp' }, null],
])('%j', (record, expected) => {
  expect(openEnvelope(record)).toEqual(expected)
})
