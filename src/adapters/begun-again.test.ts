import { describe, expect, test } from 'vitest'
import { fixtureRecordings } from '../../test/support/fixture-recordings.ts'
import { readRecording, replayRecording } from '../testing/index.ts'
import { loadAdapterFor } from './index.ts'

// A response that begins again in the same output, without a word about a retry. The stream itself shows it: a header
// that comes twice, a message that starts while one is open, a count of text that falls back. (Of the others, some
// give each message whole, and some show nothing.)
const NAMES: Readonly<Record<string, readonly string[]>> = {
  gemini: ['text', 'tool', 'think'],
  pi: ['text', 'tool'],
  omp: ['text', 'tool'],
  cline: ['text-json', 'hooks-tool-json'],
}

const recordings = fixtureRecordings.filter(({ agent, directory }) =>
  NAMES[agent]?.some((name) => directory.replaceAll('\\', '/').endsWith(`/${name}`)),
)

describe('a response that begins again without notice', () => {
  test('is looked for in every such agent', () => {
    expect(new Set(recordings.map(({ agent }) => agent))).toEqual(new Set(Object.keys(NAMES)))
  })

  test.each(recordings)('$agent $name', async ({ agent, directory }) => {
    const adapter = await loadAdapterFor(agent, {})
    const recording = readRecording(directory)
    const whole = recording.stdout.toString('utf8').trimEnd()
    const lines = whole.split('\n')
    const alone = replayRecording(adapter, recording)
    for (let cut = 1; cut < lines.length; cut += 1) {
      const stdout = Buffer.from(`${lines.slice(0, cut).join('\n')}\n${whole}\n`)
      const { events, result } = replayRecording(adapter, { ...recording, stdout })
      expect([cut, result.text, result.outcome.kind]).toEqual([cut, alone.result.text, alone.result.outcome.kind])
      // Who takes back what is withdrawn has no half of a sentence left.
      let said = ''
      for (const event of events) {
        if (event.type === 'message_stop') said += event.text
        if (event.type !== 'attempt_withdrawn') continue
        expect(said.endsWith(event.text)).toBe(true)
        said = said.slice(0, said.length - event.text.length)
      }
      expect(said).not.toContain(`${alone.result.text.slice(0, 4)}${alone.result.text.slice(0, 4)}`)
    }
  })
})
