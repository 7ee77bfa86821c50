import { join } from 'node:path'
import type { RunOptions } from '../../contract/run-options.ts'
import type { RunFile } from '../../contract/spawn.ts'
import { asArray, asRecord, type JsonRecord, parseRecord } from '../../core/json.ts'
import { namesIn, textIfThere } from '../../files/run-lookups.ts'
import { homeOf, selectedAuth } from './home.ts'
import { manifest } from './manifest.ts'

/** Models before 3 take a number of tokens; the middle is what the CLI asks for by itself. */
const BUDGETS: Readonly<Record<string, number>> = { low: 1024, medium: 8192, high: 24_576 }

function thinkingConfig(model: string, effort: string): JsonRecord {
  return /^gemini-[12]\b/.test(model) ? { thinkingBudget: BUDGETS[effort] } : { thinkingLevel: effort.toUpperCase() }
}

/** For the model of the run, or for each one that the router may choose. An override has to name its model. */
function overrides({ model = 'auto' }: RunOptions, effort: string): JsonRecord[] {
  const models = model === 'auto' ? (manifest.models ?? []).map(({ modelId }) => modelId) : [model]
  return models
    .filter((one) => one !== 'auto')
    .map((one) => ({
      match: { model: one },
      modelConfig: { generateContentConfig: { thinkingConfig: thinkingConfig(one, effort) } },
    }))
}

const COMMENTS = /("(?:\\.|[^"\\])*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g

function withOverrides(settings: JsonRecord, added: readonly JsonRecord[]): JsonRecord {
  const modelConfigs = asRecord(settings.modelConfigs) ?? {}
  const customOverrides = [...asArray(modelConfigs.customOverrides), ...added]
  return { ...settings, modelConfigs: { ...modelConfigs, customOverrides } }
}

function withKeyAuth(settings: JsonRecord): JsonRecord {
  const security = asRecord(settings.security) ?? {}
  return {
    ...settings,
    security: { ...security, auth: { ...asRecord(security.auth), selectedType: 'gemini-api-key' } },
  }
}

/** The user's settings with ours. What the CLI cannot read either is handed on as it is, so that it says so itself. */
function settingsOf(text: string, change: (settings: JsonRecord) => JsonRecord): string {
  const settings = parseRecord(text.replace(COMMENTS, '$1').replaceAll('\n', ' '))
  return settings === null && text.trim() !== '' ? text : JSON.stringify(change(settings ?? {}))
}

/** In these the CLI keeps conversations and checkpoints: they have to be there before the run, to outlast it. */
const KEPT: readonly string[] = ['tmp', 'history']

/**
 * The CLI (0.61) has no flag for how much its models think, and ignores settings of a run that root does not own. So it
 * gets a home in which all is the user's but the settings file, which is a copy with the effort in it. The same for how
 * it signs in: with another endpoint in the environment and nothing in the settings, all forms but ACP choose a
 * "gateway", which they then refuse as an invalid auth method.
 */
export function settingsEnv(options: RunOptions, files: RunFile[], isAcp = false): Record<string, string> {
  const { thinkingEffort, endpoint } = options
  const needsAuth = endpoint !== undefined && !isAcp && selectedAuth(options) === undefined
  if (thinkingEffort === undefined && !needsAuth) return {}
  const directory = homeOf(options)
  const text = textIfThere(join(directory, 'settings.json')) ?? ''
  const added = thinkingEffort === undefined ? [] : overrides(options, thinkingEffort)
  const change = (settings: JsonRecord) => {
    const changed = added.length > 0 ? withOverrides(settings, added) : settings
    return needsAuth ? withKeyAuth(changed) : changed
  }
  files.push({ name: 'home/.gemini/settings.json', content: settingsOf(text, change) })
  const names = new Set([...KEPT, ...namesIn(directory)])
  names.delete('settings.json')
  for (const name of names) {
    const link = join(directory, name)
    files.push({ name: `home/.gemini/${name}`, content: '', link, makesDirectory: KEPT.includes(name) })
  }
  const variables = join(directory, '..', '.env')
  if (textIfThere(variables) !== undefined) files.push({ name: 'home/.env', content: '', link: variables })
  return { GEMINI_CLI_HOME: '{file:home}' }
}
