import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { CapabilityError } from '../../contract/errors.ts'
import type { EndpointProtocol, RunOptions } from '../../contract/run-options.ts'
import { type Bench, type Check, must, mustEnd, mustSay, mustSee } from '../check.ts'
import { checkTool } from './basics.ts'

/** Both limits of tokens are one. */
const SAMPLING = { temperature: 0.25, topP: 0.75, topK: 7, maxTokens: 7777, maxOutputTokens: 7777 }

function refuses(bench: Bench, options: Partial<RunOptions>): boolean {
  try {
    void bench.start(options).abort()
    return false
  } catch (error) {
    return error instanceof CapabilityError
  }
}

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
        if (capabilities.supportsNativeTools) await checkTool(bench, { endpoint })
        else mustEnd(await bench.run({ endpoint }), 'completed')
        const asked = server.requests.slice(before).filter(({ kind, helper }) => kind === 'model' && !helper)
        must(asked.length > (capabilities.supportsNativeTools ? 1 : 0), `${asked.length} requests came`)
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
      must(bench.sent().at(-1)?.includes('extra-directory') ?? false, 'the directory did not reach the model')
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
    name: 'sampling',
    title: 'model settings: sent to the model, or refused',
    scenario: 'text',
    async run(bench) {
      const { samplingOptions = [] } = bench.capabilities
      for (const name of Object.keys(SAMPLING)) {
        if (samplingOptions.some((one) => one === name)) continue
        must(refuses(bench, { [name]: 1 }), `${name} is neither refused nor claimed`)
      }
      if (samplingOptions.length === 0) return
      const asked = samplingOptions.map((name) => [name, SAMPLING[name]] as const)
      const run = await bench.run(Object.fromEntries(asked))
      mustEnd(run, 'completed')
      const body = bench.sent().at(-1) ?? ''
      for (const [name, value] of asked) must(body.includes(String(value)), `${name} was not sent`)
    },
  },
  {
    name: 'max-turns',
    title: 'turn limit',
    scenario: 'loop',
    applies: (c) => c.supportsMaxTurns === true || (c.supportsNativeTools && !c.unreported?.includes('tools')),
    async run(bench) {
      const asked = async (options: Partial<RunOptions>) => {
        const before = bench.sent().length
        const run = await bench.run({ approvalMode: 'yolo', maxTurns: 2, ...options })
        mustEnd(run, 'turn_limit')
        mustSee(run, 'turn_limit')
        return bench.sent().length - before
      }
      for (const nonInteractive of [false, true]) {
        const requests = await asked({ nonInteractive })
        must(requests === 2 || requests === 3, `${requests} requests were made at a limit of 2`)
      }
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
