import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { here } from '../process/here.ts'
import { AgentProcess } from './agent-process.ts'

test('the files of its run are there until what is in them was looked at', async () => {
  const seen: boolean[] = []
  const files = [{ name: 'state/mark', content: '' }]
  const args = { command: process.execPath, args: ['-e', ''], env: {}, cwd: process.cwd(), usePty: false, files }
  const started = await AgentProcess.start(here, args, {}, 'run-of-a-test', {
    onLines: () => {},
    onOversizedLine: () => {},
    mustWait: () => false,
    onGone: async () => void seen.push(existsSync(started.fill('{file:state/mark}'))),
  })
  await started.closed
  expect(seen).toEqual([true])
  expect(existsSync(started.fill('{file:state/mark}'))).toBe(false)
})
