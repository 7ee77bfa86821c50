import { expect, test } from 'vitest'
import { Restoring } from './restoring.ts'

const refused = { code: 'INVALID_STATE_TRANSITION' }

test('a kill calls off the restore that is under way, and no later one', async () => {
  const restoring = new Restoring()
  const restore = () =>
    restoring.do('a', async (mustGoOn) => {
      await Promise.resolve()
      mustGoOn()
      return 'restored'
    })
  const first = restore()
  restoring.callOff('b')
  restoring.callOff('a')
  await expect(first).rejects.toMatchObject({ ...refused, message: expect.stringContaining('killed') })
  restoring.callOff('a')
  await expect(restore()).resolves.toBe('restored')
})

test('one restore of a session at a time', async () => {
  const restoring = new Restoring()
  const first = restoring.do('a', async () => 1)
  await expect(restoring.do('a', async () => 2)).rejects.toMatchObject(refused)
  await expect(restoring.do('b', async () => 3)).resolves.toBe(3)
  await expect(first).resolves.toBe(1)
})
