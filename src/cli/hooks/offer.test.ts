import { expect, test } from 'vitest'
import { temporaryDirectory } from '../../../test/support/client.ts'
import { loadAdapterFor } from '../../adapters/index.ts'
import { installHooks } from '../../hooks/install.ts'
import { hookContext } from '../../hooks/launch.ts'
import { offerHooks } from './offer.ts'

async function offered(agent: string, workspace = temporaryDirectory(), dataDir = temporaryDirectory()) {
  const notes: string[] = []
  const output = { note: (text: string) => void notes.push(text) }
  const adapter = await loadAdapterFor(agent)
  const say = () => offerHooks(adapter, { dataDir, workspace }, output)
  return { say, notes, adapter, dataDir, workspace }
}

test('an agent that takes hooks from its settings only says so once for each workspace', async () => {
  const { say, notes, dataDir } = await offered('cursor')
  await say()
  await say()
  expect(notes).toEqual([
    expect.stringMatching(/takes hooks from its settings only.*`amux hooks install cursor --scope workspace --cwd /),
  ])
  const elsewhere = await offered('cursor', undefined, dataDir)
  await elsewhere.say()
  expect(elsewhere.notes).toHaveLength(1)
})

test('one whose launch brings its hooks along says nothing', async () => {
  const { say, notes } = await offered('claude')
  await say()
  expect(notes).toEqual([])
})

test('hooks that are installed are not offered', async () => {
  const { say, notes, adapter, dataDir, workspace } = await offered('cursor')
  const installation = adapter.planHooks?.(hookContext(dataDir, workspace)).workspace
  if (!installation) throw new Error('cursor has no hooks of a workspace')
  await installHooks({ owner: { agent: 'cursor', scope: 'workspace', workspace }, installation, dataDir })
  await say()
  expect(notes).toEqual([])
})
