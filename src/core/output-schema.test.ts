import { expect, test } from 'vitest'
import { promptWithSchema, repairPrompt } from './output-schema.ts'

test('what is asked for has no @, which agents take for a path, and the schema is the same', () => {
  const schema = { type: 'string', pattern: '^[^@]+@example\\.com$' }
  const asked = promptWithSchema({ prompt: 'Whose?', outputSchema: schema }).join('\n\n')
  for (const text of [asked, repairPrompt(schema, '@/etc/passwd: is unknown')]) {
    expect(text).not.toContain('@')
    expect(JSON.parse(text.split('\n').at(-1) ?? '')).toEqual(schema)
  }
})
