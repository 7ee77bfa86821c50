import fc from 'fast-check'
import { test } from 'vitest'
import type { DialogueCommand } from '../../../contract/dialogue.ts'
import { adapterContract } from '../../../testing/index.ts'
import { defineManifest } from '../../kit/define-manifest.ts'
import { acpDialogue } from './dialogue.ts'
import { acpAdapter } from './index.ts'

const auth = { envVars: [], files: [], providerName: '', documentationUrls: [] }
const manifest = defineManifest({ agent: 'a', displayName: 'a', cliCommand: 'a', verification: 'unverified', auth })
const profile = { args: ['acp'] }
const create = (homeDir: string) => new (acpAdapter(manifest, profile))({ homeDir, env: { HOME: homeDir } })

for (const { name, run } of adapterContract({ create })) test(name, run)

const value = fc.oneof(fc.constantFrom(null, true, '', 'session-1', 'completed', 1, -32000, [], {}), fc.jsonValue())
const words = (...given: string[]) => fc.constantFrom(...given)
const update = fc.record(
  {
    sessionUpdate: words('agent_message_chunk', 'tool_call', 'tool_call_update', 'plan', 'usage_update', 'odd'),
    ...{
      toolCallId: words('1', '2'),
      kind: words('execute', 'edit', 'odd'),
      status: words('pending', 'completed', 'failed'),
    },
    ...{
      content: value,
      rawInput: value,
      rawOutput: value,
      locations: value,
      entries: value,
      cost: value,
      _meta: value,
    },
  },
  { requiredKeys: ['sessionUpdate'] },
)
const message = fc.oneof(
  fc.record({ method: fc.constant('session/update'), params: fc.record({ update, sessionId: value }) }),
  fc.record({ id: value, method: words('session/request_permission', 'fs/write_text_file', 'x'), params: value }),
  fc.record({ id: fc.integer({ min: 0, max: 6 }), result: value }),
  fc.record({ id: fc.integer({ min: 0, max: 6 }), error: value }),
  fc.record({ dir: words('in', 'out', 'note'), msg: value }),
  value,
)
const commands: DialogueCommand[] = [
  { type: 'interrupt' },
  { type: 'user_turn', text: 'x' },
  { type: 'approve', interactionId: '1' },
  { type: 'set_model', model: 'm' },
  { type: 'close' },
]

test.each([true, false])('whatever an agent says, nothing throws (live: %s)', (isLive) => {
  fc.assert(
    fc.property(fc.array(fc.oneof(message, fc.constantFrom(...commands)), { maxLength: 30 }), (steps) => {
      const dialogue = acpDialogue('a', profile)({ prompt: 'x', cwd: '/w' })
      if (isLive) dialogue.start({ prompt: 'x', cwd: '/w' })
      for (const step of steps) {
        const command = commands.find((one) => one === step)
        if (command) dialogue.onCommand(command)
        else dialogue.onLine(JSON.stringify(step), 'stdout')
        dialogue.onHost?.('host-1', { type: 'done' })
      }
      dialogue.onExit({ exitCode: 0, signal: null, stderr: '' })
    }),
    { numRuns: 300 },
  )
})
