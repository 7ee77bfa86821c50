import { mkdir } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import type { AgentConfig, AgentConfigSchema } from '../contract/config.ts'
import { agentPath, type Directories, type PathHost } from '../core/agent-paths.ts'
import type { JsonRecord } from '../core/json.ts'
import { atomicWrite, followLinks } from './atomic-write.ts'
import { configError } from './config-error.ts'
import { mapSettings, mentionedSettings, plannedEdits } from './config-fields.ts'
import { type DocumentFormat, documentFormat, parseSettings, readText } from './documents.ts'
import { withFileLock } from './lock.ts'
import type { ConfigEdit } from './mcp-servers.ts'
import { mergeValues } from './values.ts'

/** Where settings are looked for: the machine, and the variables of the CLI that move its files. */
export interface ConfigHost extends PathHost {
  directories?: Directories
}

/** The agent's own settings, the project's over the user's. `{}` when there is no file at all. */
export async function readAgentConfig(schema: AgentConfigSchema, host: ConfigHost, cwd?: string): Promise<AgentConfig> {
  const format = documentFormat(schema.configFormat)
  const { globals, projects } = configPaths(schema, host, cwd)
  const found: { path: string; settings: JsonRecord }[] = []
  for (const path of [...globals, ...projects]) {
    const text = await readText(path)
    if (text !== null) found.push({ path, settings: await parseSettings(format, text, path) })
  }
  if (found.length === 0) return {}
  const filePaths = found.map(({ path }) => path)
  const hasGlobal = filePaths.some((path) => globals.includes(path))
  const hasProject = filePaths.some((path) => projects.includes(path))
  const merged = found.reduce<JsonRecord>((below, { settings }) => mergeValues(below, settings), {})
  return {
    agent: schema.agent,
    source: hasGlobal && hasProject ? 'merged' : hasProject ? 'project' : 'global',
    filePaths,
    ...mapSettings(schema, merged),
  }
}

/**
 * Writes what `config` mentions and nothing else: tables merge, lists and scalars replace, undefined is ignored. Goes
 * to the project's file where there is one, else to the user's.
 */
export async function writeAgentConfig(
  schema: AgentConfigSchema,
  config: Partial<AgentConfig>,
  host: ConfigHost,
  cwd?: string,
): Promise<void> {
  if (mentionedSettings(config).length > 0) await editAgentConfig(schema, () => config, host, cwd)
}

/** The same for a change that depends on what the one file says that is written to: nobody else writes in between. */
export async function editAgentConfig(
  schema: AgentConfigSchema,
  change: (current: AgentConfig) => Partial<AgentConfig>,
  host: ConfigHost,
  cwd?: string,
): Promise<void> {
  const format = documentFormat(schema.configFormat)
  const filePath = await writablePath(schema, host, cwd)
  await mkdir(dirname(filePath), { recursive: true, mode: 0o755 })
  // The lock belongs to the file itself, or two names of it could be written at once.
  const target = await followLinks(filePath)
  await withFileLock(target, async () => {
    const text = (await readText(target)) ?? ''
    const settings = await parseSettings(format, text, filePath)
    const next = await applyConfigEdits(
      format,
      text,
      plannedEdits(schema, change(mapSettings(schema, settings)), settings),
      filePath,
    )
    if (next !== text) await atomicWrite(target, next)
  })
}

function configPaths(schema: AgentConfigSchema, host: ConfigHost, cwd?: string) {
  const globals = schema.configFilePaths.flatMap((path) => agentPath(path, host.directories, host) ?? [])
  const projects = cwd === undefined ? [] : schema.projectConfigFilePaths.map((path) => resolve(cwd, path))
  // In the home directory itself both can name one file.
  return { globals, projects: projects.filter((path) => !globals.includes(path)) }
}

async function writablePath(schema: AgentConfigSchema, host: ConfigHost, cwd?: string): Promise<string> {
  const { globals, projects } = configPaths(schema, host, cwd)
  for (const path of schema.supportsProjectConfig ? projects : []) {
    if ((await readText(path)) !== null) return path
  }
  const [first] = globals
  if (first === undefined) throw configError(`${schema.agent} has no config file that can be written`)
  return first
}

async function applyConfigEdits(
  format: DocumentFormat,
  text: string,
  edits: readonly ConfigEdit[],
  filePath: string,
): Promise<string> {
  let next = text
  for (const { keyPath, value } of edits) {
    next =
      value === undefined
        ? await format.remove(next, keyPath, filePath)
        : await format.set(next, keyPath, value, filePath)
  }
  return next
}
