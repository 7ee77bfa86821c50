import { expect, test } from 'vitest'
import { promptWithSchema, repairPrompt } from './output-schema.ts'

test('a schema in a prompt has no @, which agents take for a path, and is the same schema', () => {
  const schema = { type: 'string', pattern: '^[^@]+@example\\.com$' }
  const texts = [promptWithSchema({ prompt: 'Whose?', outputSchema: schema }).join('\n\n'), repairPrompt(schema, 'no')]
  for (const text of texts) {
    expect(text).not.toContain('@')
    expect(JSON.parse(text.split('\n').at(-1) ?? '')).toEqual(schema)
  }
})
