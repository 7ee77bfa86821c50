import { expect, test } from 'vitest'
import { joinPrompt, withSystemBlock } from './prompt.ts'

test('several prompts are paragraphs', () => {
  expect(joinPrompt('one')).toBe('one')
  expect(joinPrompt(['one', 'two'])).toBe('one\n\ntwo')
})

test('the block comes before the prompt', () => {
  expect(withSystemBlock('Be brief.', 'go')).toBe('<system_instructions>\nBe brief.\n</system_instructions>\n\ngo')
})
