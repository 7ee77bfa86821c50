import { isRecord, type JsonRecord } from '../../core/json.ts'
import { validateOptions } from '../../engine/validate-options.ts'
import type { Profiles } from '../../mux/profiles.ts'
import { choice, defineCommand, refuseExtra, usageError } from '../command.ts'
import type { Output } from '../output.ts'
import { type Cell, headings, table } from '../table.ts'

const ACTIONS = ['list', 'show', 'set', 'delete'] as const

export const command = defineCommand({
  usage: 'profiles list | show NAME | set NAME [FIELD=VALUE…] [--unset FIELD] | delete NAME',
  about: `
A profile is a set of run options in a JSON file, for \`amux run --profile NAME\`. Fields are named as in RunOptions;
values are JSON, or text where they are not. \`set\` changes these fields and keeps the others; --unset takes fields out,
--replace leaves nothing of what was there. It also takes one JSON object.`,
  flags: {
    scope: {
      type: 'string',
      value: 'global|project',
      about: 'Which of the two places (set: default global)',
      choices: ['global', 'project'],
    },
    unset: { type: 'string', multiple: true, value: 'FIELD', about: 'set: take this field out' },
    replace: { type: 'boolean', about: 'set: only what is given now' },
  },
  examples: [
    'amux profiles set careful agent=claude approvalMode=deny maxCostUsd=0.5',
    `amux profiles set fast '{"agent":"codex","thinkingEffort":"low"}' --scope project`,
    'amux profiles set careful maxCostUsd=2 --unset approvalMode',
    'amux run --profile careful "What does this project do?"',
  ],
  async run({ args, flags }, { output, client }) {
    const action = choice('The action', args[0] ?? 'list', ACTIONS)
    const scope = choice('--scope', flags.scope, ['global', 'project'])
    const { unset = [], replace = false } = flags
    if (action !== 'set' && (replace || unset.length > 0)) throw usageError('--unset and --replace are for `set`')
    const { profiles } = await client(flags)
    if (action === 'list') {
      refuseExtra(args, 1)
      return list(profiles, output, scope)
    }
    const name = args[1]
    if (name === undefined) throw usageError(`Name the profile: amux profiles ${action} NAME`)
    if (action === 'set') {
      if (replace && unset.length > 0) throw usageError('--replace and --unset exclude each other')
      const fields = args.length === 2 && unset.length > 0 ? {} : readFields(args.slice(2))
      validateOptions({ agent: 'any', ...fields, prompt: 'any' })
      if (replace) await profiles.set(name, fields, { scope })
      const data = replace ? fields : await profiles.update(name, fields, { scope, unset })
      output.result({ name, data }, `Saved profile ${name}: ${JSON.stringify(data)}`)
      return 0
    }
    refuseExtra(args, 2)
    const found = profiles.show(name)
    if (action === 'show') output.result(found, JSON.stringify(found.data, null, 2))
    else {
      await profiles.delete(name, { scope })
      output.result({ name, scope: scope ?? found.scope }, `Deleted profile ${name} (${scope ?? found.scope}).`)
    }
    return 0
  },
})

function list(profiles: Profiles, output: Output, scope: 'global' | 'project' | undefined): number {
  const entries = profiles.list({ scope })
  const header = headings(['PROFILE', 'SCOPE', 'AGENT', 'MODEL'], { whole: ['PROFILE'], optional: ['SCOPE', 'MODEL'] })
  const rows = entries.map(({ name, scope, agent, model, corrupt }): (string | Cell)[] => [
    name,
    scope,
    corrupt ? { text: 'does not parse', style: 'red' } : (agent ?? '-'),
    model ?? '-',
  ])
  const none = 'No profiles yet. `amux profiles set NAME FIELD=VALUE…` makes one.'
  output.result(entries, entries.length === 0 ? none : table([header, ...rows], output.paint(), output.width))
  return 0
}

function readFields(words: readonly string[]): JsonRecord {
  const [first] = words
  if (first === undefined) throw usageError('Give the fields: amux profiles set NAME agent=claude model=opus')
  if (words.length === 1 && first.trimStart().startsWith('{')) {
    const value = parseJson(first)
    if (!isRecord(value)) throw usageError('The profile is not a JSON object')
    return value
  }
  return Object.fromEntries(
    words.map((word) => {
      const at = word.indexOf('=')
      if (at < 1) throw usageError(`"${word}" is not FIELD=VALUE`)
      const text = word.slice(at + 1)
      return [word.slice(0, at), parseJson(text) ?? text]
    }),
  )
}

/** Undefined when it is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
