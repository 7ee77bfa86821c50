// Structured output: the answer is checked, and has the type of its schema. A Zod, Valibot or ArkType schema works as well.
import { createClient } from 'agent-mux'

await using mux = createClient()
const { outcome, structuredOutput } = await mux.run({
  agent: process.argv[2] ?? 'claude',
  prompt: 'Which licence does this project have, and in which file is it?',
  approvalMode: 'deny',
  outputSchema: {
    type: 'object',
    properties: { licence: { enum: ['MIT', 'Apache-2.0', 'other'] }, file: { type: 'string' } },
    required: ['licence'],
    additionalProperties: false,
  },
})
if (structuredOutput) console.log(structuredOutput.licence, structuredOutput.file?.toUpperCase() ?? 'in no file')
else console.error(outcome.kind, outcome.evidence) // `output_invalid` when it did not fit, even when asked again
