import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { EndpointProtocol } from '../../contract/run-options.ts'
import { type Check, must, mustEnd, mustSay, mustSee } from '../check.ts'
import { checkTool } from './basics.ts'

const MARK = 'amux-verify-system-mark'

/** Every other check has the address in its usual form: OpenAI's with the version, the others' without. */
function otherForm(baseUrl: string, protocol: EndpointProtocol): string {
  if (baseUrl.endsWith('/v1')) return baseUrl.slice(0, -'/v1'.length)
  return `${baseUrl}${protocol === 'gemini' ? '/v1beta' : '/v1'}`
}

export const options: readonly Check[] = [
  {
    name: 'model',
    title: 'choice of model',
    scenario: 'text',
    async run(bench) {
      const run = await bench.run({ model: bench.alternativeModel })
      mustEnd(run, 'completed')
      must(bench.sent().at(-1)?.includes(bench.alternativeModel) ?? false, 'another model was asked')
      must(run.result.model === bench.alternativeModel, `the result names ${run.result.model}`)
    },
  },
  {
    name: 'endpoints',
    title: 'an endpoint of each protocol, with and without the version in its address',
    scenario: 'tool',
    applies: (c) => (c.endpointProtocols?.length ?? 0) > 0,
    async run(bench) {
      const { capabilities, endpoint: given, server } = bench
      for (const protocol of capabilities.endpointProtocols ?? []) {
        const before = server.requests.length
        const endpoint = { ...given, protocol, baseUrl: otherForm(server.baseUrl(protocol), protocol) }
        await checkTool(bench, { endpoint })
        const asked = server.requests.slice(before).filter(({ kind, helper }) => kind === 'model' && !helper)
        must(asked.length > 1, `${asked.length} requests came`)
        const others = asked.filter((request) => request.protocol !== protocol)
        must(others.length === 0, `${others.map(({ url }) => url)} asked for ${protocol}`)
      }
    },
  },
  {
    name: 'effort',
    title: 'thinking effort',
    scenario: 'text',
    applies: (c) => c.thinkingEffortLevels.includes('high'),
    async run(bench) {
      const run = await bench.run({ thinkingEffort: 'high' })
      mustEnd(run, 'completed')
      must(bench.sent().at(-1)?.includes(bench.highEffort) ?? false, 'the effort was not sent')
    },
  },
  {
    name: 'system-append',
    title: 'system prompt: append',
    scenario: 'text',
    applies: (c) => c.systemPromptModes?.includes('append') === true,
    async run(bench) {
      await bench.run({})
      const plain = bench.sent().at(-1) ?? ''
      const run = await bench.run({ systemPrompt: MARK, systemPromptMode: 'append' })
      mustEnd(run, 'completed')
      const body = bench.sent().at(-1) ?? ''
      must(body.includes(MARK), 'the words were not sent')
      must(body.length > plain.length * 0.9, 'the own prompt of the agent is gone')
    },
  },
  {
    name: 'system-replace',
    title: 'system prompt: replace',
    scenario: 'text',
    applies: (c) => c.systemPromptModes?.includes('replace') === true,
    async run(bench) {
      await bench.run({})
      const plain = bench.sent().at(-1) ?? ''
      const run = await bench.run({ systemPrompt: MARK, systemPromptMode: 'replace' })
      mustEnd(run, 'completed')
      const body = bench.sent().at(-1) ?? ''
      must(body.includes(MARK), 'the words were not sent')
      must(body.length < plain.length, 'the own prompt of the agent is still there')
    },
  },
  {
    name: 'add-dir',
    title: 'more directories',
    scenario: 'text',
    applies: (c) => c.supportsAddDirs === true,
    async run(bench) {
      const extra = join(bench.home, 'extra-directory')
      mkdirSync(extra)
      const run = await bench.run({ addDirs: [extra] })
      mustEnd(run, 'completed')
      if (!bench.tells('directories', false)) return
      must(bench.sent().at(-1)?.includes('extra-directory') ?? false, 'the model was not told of the directory')
    },
  },
  {
    name: 'tool-lists',
    title: 'tools forbidden by name',
    scenario: 'tool',
    applies: (c) => c.supportsToolLists === true,
    async run(bench) {
      const run = await bench.run({ approvalMode: 'yolo', disallowedTools: [bench.shellTool] })
      must(!run.events.some(({ type }) => type === 'shell_start'), 'the forbidden tool has run')
      must(!bench.sent().some((body) => body.includes('scripted-tool-output\\n')), 'the forbidden tool has run')
    },
  },
  {
    name: 'max-turns',
    title: 'turn limit',
    scenario: 'loop',
    applies: (c) => c.supportsMaxTurns === true,
    async run(bench) {
      const run = await bench.run({ approvalMode: 'yolo', maxTurns: 2 })
      mustEnd(run, 'turn_limit')
      mustSee(run, 'turn_limit')
    },
  },
  {
    name: 'budget',
    title: 'cost limit, kept by us',
    scenario: 'text',
    async run(bench) {
      const run = await bench.run({ maxCostUsd: 0.000001 })
      // By the agent itself, or at list prices.
      if (run.result.cost !== null) mustEnd(run, 'budget_exceeded')
      else
        must(
          run.events.some((event) => event.type === 'debug' && event.message.includes('budget')),
          'no warning',
        )
    },
  },
  {
    name: 'multi-prompt',
    title: 'prompts with odd characters',
    scenario: 'multi-turn',
    async run(bench) {
      const prompt = '--help\n"quoted" $HOME `id` \u2028 \u00fcml\u00e4ut \ud83d\ude80'
      const run = await bench.run({ prompt })
      mustEnd(run, 'completed')
      const body = bench.sent().at(-1) ?? ''
      must(
        body.includes(JSON.stringify('\ud83d\ude80').slice(1, -1)) || body.includes('\ud83d\ude80'),
        'the prompt was changed',
      )
      must(body.includes('`id`') && body.includes('--help'), 'the prompt was changed')
      mustSay(run, 'Reply A')
    },
  },
]
