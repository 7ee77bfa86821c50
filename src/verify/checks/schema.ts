import type { Scenario } from '../../scripted/index.ts'
import { type Bench, type Check, type Finished, must, mustEnd } from '../check.ts'

const CITY = {
  $schema: 'https://json-schema.org/draft/2020-12/schema', // as Zod and ArkType write it
  type: 'object',
  properties: { city: { type: 'string' }, size: { type: 'number' } },
  required: ['city', 'size'],
  additionalProperties: false,
}

const WRONG = '{"city": '

/** Begins JSON and does not end it, in the first turn only. */
const REPAIRED: Scenario = {
  name: 'json-repaired',
  description: 'an answer that is not JSON, then one that fits the schema',
  turns: [[{ text: WRONG }], [{ json: true, text: '{"scripted":true}' }]],
}

const BROKEN: Scenario = {
  name: 'json-broken',
  description: 'answers that are never JSON',
  turns: [[{ text: WRONG }]],
}

async function answered(bench: Bench, scenario: Scenario): Promise<Finished> {
  bench.server.use(scenario)
  return bench.run({ outputSchema: CITY })
}

async function mustRepair(bench: Bench): Promise<void> {
  const repaired = await answered(bench, REPAIRED)
  mustEnd(repaired, 'completed')
  const { structuredOutput } = repaired.result
  must(typeof structuredOutput === 'object' && structuredOutput !== null, 'no structured output')
  must('city' in structuredOutput, `the output is ${JSON.stringify(structuredOutput)}`)
}

export const schemaChecks: readonly Check[] = [
  {
    name: 'schema-broken',
    title: 'an answer that breaks its schema: asked for again where it can be, then a failure',
    scenario: 'json',
    async run(bench) {
      if (bench.capabilities.supportsMultiTurn) await mustRepair(bench)
      const broken = await answered(bench, BROKEN)
      mustEnd(broken, 'output_invalid')
      must(broken.result.structuredOutput === undefined, 'a broken answer is given out as structured output')
    },
  },
]
