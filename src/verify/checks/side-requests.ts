import type { Scenario } from '../../scripted/index.ts'
import { type Bench, type Check, must, mustEnd } from '../check.ts'
import { served } from '../served-usage.ts'

/** The Gemini CLI has its model look for a loop after thirty requests. */
const REQUESTS = 34
const TIMEOUT_MS = 240_000

const LONG: Scenario = {
  name: 'side-requests',
  description: 'many shell commands and a text, so that the agent has reason to ask something beside the conversation',
  turns: [
    [
      ...Array.from({ length: REQUESTS }, (_, index) => ({
        tools: [{ intent: 'shell' as const, command: `echo step-${index + 1}` }],
        usage: { input: 1000 + index, cacheRead: 0, cacheWrite: 0, output: 100 },
      })),
      { text: 'All commands have run.', usage: { input: 2000, cacheRead: 0, cacheWrite: 0, output: 10 } },
    ],
  ],
}

/** An agent whose model has no tools ends after one answer; an edit in it may have a message for its commit asked for. */
const EDIT: Scenario = {
  name: 'side-requests-edit',
  description:
    'an edit in the text of an answer, so that the agent has reason to ask something beside the conversation',
  turns: [
    [
      {
        tools: [{ intent: 'write', path: 'scripted.txt', content: 'written by the scripted model\n' }],
        usage: { input: 1000, cacheRead: 0, cacheWrite: 0, output: 100 },
      },
    ],
  ],
}

/** All that was served is in the result; without side requests, where the agent gives no sign of those. */
async function checkSideRequests(bench: Bench, nonInteractive: boolean): Promise<void> {
  bench.server.requests.length = 0
  bench.server.use(bench.capabilities.supportsNativeTools ? LONG : EDIT)
  const run = await bench.run({ approvalMode: 'yolo', nonInteractive, timeout: TIMEOUT_MS })
  mustEnd(run, 'completed')
  const { requests } = bench.server
  const side = requests.filter(({ helper, usage, aborted }) => helper && usage && !aborted)
  const isNotified = bench.tells('side requests', nonInteractive)
  must(isNotified || side.length > 0, 'it is said to make side requests that nothing reports, but made none')
  const expected = served(isNotified ? requests : requests.filter(({ helper }) => !helper))
  const { inputTokens, outputTokens } = run.result.tokenUsage ?? { inputTokens: 0, outputTokens: 0 }
  must(
    inputTokens === expected.inputTokens && outputTokens === expected.outputTokens,
    `${inputTokens} and ${outputTokens} tokens were counted, but ${expected.inputTokens} and ${expected.outputTokens} served, with ${side.length} side requests`,
  )
}

export const sideRequests: readonly Check[] = [
  {
    name: 'side-requests',
    title: 'what it asks its model beside a long conversation is counted, or known not to be',
    scenario: 'text',
    waits: true,
    applies: (c) => c.unreported?.includes('usage') !== true && c.unreportedLive?.includes('usage') !== true,
    run: (bench) => checkSideRequests(bench, false),
  },
  {
    name: 'one-shot-side-requests',
    title: 'what it asks its model beside a long conversation, one-shot',
    scenario: 'text',
    waits: true,
    applies: (c) => c.unreported?.includes('usage') !== true && c.unreportedOneShot?.includes('usage') !== true,
    run: (bench) => checkSideRequests(bench, true),
  },
]
