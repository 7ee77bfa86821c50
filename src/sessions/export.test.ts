import { describe, expect, test } from 'vitest'
import { assistant, call, recordedSession, session, user } from '../../test/support/sessions.ts'
import { exportSession } from './export.ts'

describe('a real session of Claude Code', async () => {
  const recorded = await recordedSession('claude', 'tool')

  test('as JSON is what was read', () => {
    expect(JSON.parse(exportSession(recorded, 'json'))).toEqual(JSON.parse(JSON.stringify(recorded)))
  })

  test('as JSON lines is a header and one line for each message', () => {
    const [header, ...messages] = exportSession(recorded, 'jsonl')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
    expect(header).toMatchObject({ type: 'session', version: 1, agent: 'claude', messageCount: 3, turnCount: 1 })
    expect(header).not.toHaveProperty('messages')
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'assistant'])
  })

  test('as Markdown can be read by people', () => {
    const text = exportSession(recorded, 'markdown')
    expect(text).toContain('# run echo hi\n\n- agent: claude\n')
    expect(text).toContain('- cost: $0.00266\n')
    expect(text).toContain('\n## User\n\nrun echo hi\n')
    expect(text).toContain('**Bash**\n\n```json\n{\n  "command": "echo hi"')
    expect(text).toContain('\n\n```\nhi\n```\n')
  })
})

test('a fence in the text does not end the fence around it', () => {
  const text = exportSession(session([user('x'), assistant('', [call('Read', 'a', '````\ncode\n````')])]), 'markdown')
  expect(text).toContain('`````\n````\ncode\n````\n`````')
})

test('thinking is folded away, an unknown cost is unpriced, raw records stay out', () => {
  const message = { ...assistant('Done.'), thinking: 'Let me see.' }
  const one = session([user('x'), message], { raw: { secret: 1 } })
  expect(exportSession(one, 'markdown')).toContain('<details><summary>Thinking</summary>\n\nLet me see.\n\n</details>')
  expect(exportSession(one, 'markdown')).toContain('- cost: unpriced')
  for (const format of ['json', 'jsonl', 'markdown'] as const)
    expect(exportSession(one, format)).not.toContain('secret')
})
