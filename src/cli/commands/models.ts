import type { CatalogEntry, ModelRefresh, ModelRegistry, ModelValidation } from '../../contract/model-registry.ts'
import type { ModelCapabilities } from '../../contract/models.ts'
import { AGENT_FLAG, choice, defineCommand, refuseExtra, usageError } from '../command.ts'
import type { Output } from '../output.ts'
import { withProgress } from '../progress.ts'
import { type Cell, details, headings, table } from '../table.ts'
import { formatCount } from '../text.ts'

const ACTIONS = ['list', 'get', 'refresh'] as const

export const command = defineCommand({
  usage: 'models list [agent] | get AGENT MODEL | refresh [agent]',
  about: `
\`list\` shows the models that we know of, \`get\` one of them by id or alias, with names near to it when it is unknown.
\`refresh\` asks the agents' own CLIs, where they can answer. Any other model is passed on to the agent as it is.

Prices are dollars per million tokens, from the list that comes with agent-mux; your own go into prices.json in the
config directory: {"models": {"my-model*": {"input": 1.5, "output": 6, "cacheRead": 0.15}}}`,
  flags: AGENT_FLAG,
  examples: ['amux models list claude', 'amux models get claude opus', 'amux models list --json'],
  async run({ args, flags }, { output, client }) {
    const action = choice('The action', args[0] ?? 'list', ACTIONS)
    const { models } = await client(flags)
    if (action === 'get')
      return get(models, flags.agent === undefined ? args.slice(1) : [flags.agent, ...args.slice(1)], output)
    const agent = args[1] ?? flags.agent
    refuseExtra(args, 2)
    if (action === 'list') {
      const entries = models.catalog(agent)
      output.result(entries, catalogText(entries, output))
      return 0
    }
    const asking = agent === undefined ? models.refreshAll() : models.refresh(agent).then((one) => [one])
    const refreshed = await withProgress(output, 'Asking the agents', asking)
    output.result(refreshed, refreshed.map(refreshText).join('\n'))
    return 0
  },
})

function get(models: ModelRegistry, words: readonly string[], output: Output): number {
  refuseExtra(words, 2)
  const [agent, name] = words
  if (agent === undefined || name === undefined)
    throw usageError('Name the agent and the model: amux models get claude opus')
  const validation = models.validate(agent, name)
  output.result(validation, validationText(validation, output))
  return validation.valid ? 0 : 1
}

const price = (dollars: number | undefined): string => (dollars === undefined ? '-' : String(dollars))

/** A CLI may report a model and not how large it is. */
const tokens = (count: number): string => (count === 0 ? '-' : formatCount(count))

const right = (text: string): Cell => ({ text, align: 'right' })

function catalogText(entries: readonly CatalogEntry[], output: Output): string {
  if (entries.length === 0) return 'We know no models of this agent; any name is passed on to it.'
  const titles = ['AGENT', 'MODEL', 'ALIAS', 'CONTEXT', '$ IN', '$ CACHED', '$ OUT', '']
  const numbers = ['CONTEXT', '$ IN', '$ CACHED', '$ OUT']
  const optional = ['AGENT', 'ALIAS', 'CONTEXT', '$ CACHED', '']
  const header = headings(titles, { whole: ['MODEL'], optional, right: numbers })
  const rows = entries.map((one): (string | Cell)[] => [
    one.agent,
    one.modelId,
    one.modelAlias ?? '-',
    right(tokens(one.contextWindow)),
    right(price(one.inputPricePerMillion)),
    right(price(one.cachedInputPricePerMillion)),
    right(price(one.outputPricePerMillion)),
    one.isDefault ? { text: 'default', style: 'green' } : one.deprecated ? { text: 'deprecated', style: 'yellow' } : '',
  ])
  return table([header, ...rows], output.paint(), output.width)
}

function validationText({ message, model, suggestions, status }: ModelValidation, output: Output): string {
  const near = suggestions && status === 'unknown' ? `Near to it: ${suggestions.join(', ')}` : ''
  return [message, near, ...(model ? ['', details(modelRows(model), output.paint(), output.width)] : [])]
    .filter((line, at) => line !== '' || at > 1)
    .join('\n')
}

function modelRows(model: ModelCapabilities): [string, string][] {
  return [
    ['id', model.modelId],
    ['name', model.displayName],
    ['provider', model.provider ?? '-'],
    ['context', `${tokens(model.contextWindow)} tokens`],
    ['output', `${tokens(model.maxOutputTokens)} tokens`],
    ['price in', price(model.inputPricePerMillion)],
    ['price cached', price(model.cachedInputPricePerMillion)],
    ['price out', price(model.outputPricePerMillion)],
    ['thinking', model.thinkingEffortLevels?.join(', ') ?? (model.supportsThinking ? 'yes' : 'no')],
    ['as of', `${model.lastUpdated} (${model.source})`],
  ]
}

function refreshText({ agent, models, source, problem }: ModelRefresh): string {
  if (problem !== undefined) return `${agent}: ${problem}`
  return source === 'remote'
    ? `${agent}: ${models.length} models`
    : `${agent}: its CLI cannot list them; ${models.length} of ours`
}
