import type { Scenario } from '../../scripted/index.ts'
import { type Bench, type Check, type Finished, must, mustEnd } from '../check.ts'

const CITY = {
  $schema: 'https://json-schema.org/draft/2020-12/schema', // as Zod and ArkType write it
  type: 'object',
  properties: { city: { type: 'string', description: 'as in mayor@city' }, size: { type: 'number' } },
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

async function mustRepair(bench: Bench): Promise<void> {
  bench.server.use(REPAIRED)
  // OpenCode leaves the wrong answer out of its next request, where the two prompts then look like one turn.
  const repaired = await bench.run({ outputSchema: CITY }, ({ type }) => {
    if (type === 'turn_end') bench.server.use('json')
  })
  mustEnd(repaired, 'completed')
  const { structuredOutput } = repaired.result
  must(typeof structuredOutput === 'object' && structuredOutput !== null, 'no structured output')
  must('city' in structuredOutput, `the output is ${JSON.stringify(structuredOutput)}`)
  const arrived = bench.sent().every((request) => /as in mayor(@|\\+u0040)city/.test(request))
  must(arrived, 'the schema was altered on its way to the model')
}

/** One turn for the prompt, and no more than one to repair its answer. */
function mustAskOnce({ events }: Finished): void {
  const turns = events.filter(({ type }) => type === 'turn_start').length
  must(turns <= 2, `${turns} turns, where one may be repaired by one more`)
}

export const schemaChecks: readonly Check[] = [
  {
    name: 'schema-broken',
    title: 'an answer that breaks its schema: asked for again where it can be, then a failure',
    scenario: 'json',
    async run(bench) {
      if (bench.capabilities.supportsMultiTurn) await mustRepair(bench)
      bench.server.use(BROKEN)
      const broken = await bench.run({ outputSchema: CITY })
      mustEnd(broken, 'output_invalid')
      mustAskOnce(broken)
      must(broken.result.structuredOutput === undefined, 'a broken answer is given out as structured output')
    },
  },
]
