import { type FieldError, ValidationError } from '../../../contract/errors.ts'
import type {
  ApprovalMode,
  EndpointOverride,
  EndpointProtocol,
  McpServerConfig,
  RunOptions,
} from '../../../contract/run-options.ts'
import type { RunFile } from '../../../contract/spawn.ts'
import { versionedUrl } from '../../../core/endpoint.ts'
import type { JsonRecord } from '../../../core/json.ts'
import { continuesSession } from '../../kit/continues-session.ts'
import { skillDirectories } from '../../kit/skills.ts'
import type { OpencodeDialect } from './dialect.ts'

/** The provider by which another endpoint is known to the agent. */
export const ENDPOINT = 'amux'
const ENDPOINT_PREFIX = `${ENDPOINT}/`

/** Reading needs no leave, but for files that are made to hold secrets; the order counts, the last match wins. */
const ASK_BEFORE_ACTING: JsonRecord = {
  '*': 'ask',
  read: { '*': 'allow', '*.env': 'ask', '*.env.*': 'ask', '*.env.example': 'allow' },
  glob: 'allow',
  grep: 'allow',
  list: 'allow',
  lsp: 'allow',
  skill: 'allow',
  task: 'allow',
  todoread: 'allow',
  todowrite: 'allow',
  question: 'allow',
}

/**
 * `deny` asks, too, and every request is refused: a tool that the rules deny is hidden from the model, and nobody would
 * learn that it was wanted.
 */
const PERMISSIONS: Record<ApprovalMode, JsonRecord> = {
  prompt: ASK_BEFORE_ACTING,
  'accept-edits': { ...ASK_BEFORE_ACTING, edit: 'allow' },
  yolo: { '*': 'allow' },
  deny: ASK_BEFORE_ACTING,
}

const EDITING = /^(write|edit|multiedit|patch|apply_patch)$/

/** The rule of a tool; those that change files share one. */
function ruleOf(tool: string): string {
  return EDITING.test(tool) ? 'edit' : tool
}

/** Nothing unless asked for: without a mode the user's own rules hold. */
function permission({ approvalMode, allowedTools = [], disallowedTools = [] }: RunOptions): JsonRecord {
  const rules: JsonRecord = approvalMode === undefined ? {} : { ...PERMISSIONS[approvalMode] }
  for (const tool of allowedTools) rules[ruleOf(tool)] = 'allow'
  for (const tool of disallowedTools) rules[ruleOf(tool)] = 'deny'
  return rules
}

function nativeMcpServer(server: McpServerConfig): JsonRecord {
  if ('url' in server) return { type: 'remote', url: server.url, headers: server.headers, enabled: true }
  const command = [server.command, ...(server.args ?? [])]
  return { type: 'local', command, environment: server.env, enabled: true }
}

function mainAgent(dialect: OpencodeDialect, options: RunOptions, rules: JsonRecord): JsonRecord | undefined {
  const { systemPrompt, systemPromptMode, temperature, topP } = options
  const settings: JsonRecord = {}
  if (systemPrompt !== undefined && systemPromptMode === 'replace') settings.prompt = systemPrompt
  if (temperature !== undefined) settings.temperature = temperature
  if (topP !== undefined) settings.top_p = topP
  // The rules of an agent win over those for all.
  if (Object.keys(rules).length > 0) settings.permission = rules
  return Object.keys(settings).length > 0 ? { [dialect.mainAgent]: settings } : undefined
}

const PACKAGES: Record<EndpointProtocol, string> = {
  'openai-chat': '@ai-sdk/openai-compatible',
  'openai-responses': '@ai-sdk/openai',
  anthropic: '@ai-sdk/anthropic',
  gemini: '@ai-sdk/google',
}

function endpointModel(name: string): JsonRecord {
  const limit = { context: 200_000, output: 32_000 }
  const modalities = { input: ['text', 'image', 'pdf'], output: ['text'] }
  return { name, reasoning: true, tool_call: true, attachment: true, modalities, temperature: true, limit }
}

/** The endpoint as the one provider there is, so that titles and summaries are asked of it, too. */
export function endpointConfig(dialect: OpencodeDialect, endpoint: EndpointOverride, model?: string): JsonRecord {
  const { protocol = 'openai-chat', apiKey } = endpoint
  const names = model === undefined ? dialect.endpointModels : [model, ...dialect.endpointModels]
  const options = { baseURL: versionedUrl(endpoint, protocol), apiKey }
  const models = Object.fromEntries(names.map((name) => [name, endpointModel(name)]))
  return {
    enabled_providers: [ENDPOINT],
    provider: { [ENDPOINT]: { name: 'agent-mux endpoint', npm: PACKAGES[protocol], options, models } },
    share: 'disabled',
    ...(model === undefined ? {} : { small_model: `${ENDPOINT_PREFIX}${model}` }),
  }
}

/** The model as the agent needs it: `provider/model`. */
export function nativeModel({ endpoint }: RunOptions, model: string | undefined): string | undefined {
  return endpoint && model !== undefined ? `${ENDPOINT_PREFIX}${model}` : model
}

/** The model as the caller knows it. */
export function plainModel(model: string): string {
  return model.startsWith(ENDPOINT_PREFIX) ? model.slice(ENDPOINT_PREFIX.length) : model
}

function validate({ model, endpoint }: RunOptions): void {
  const fields: FieldError[] = []
  if (endpoint && model === undefined) {
    const message = 'is needed with an endpoint: the agent has no default model there'
    fields.push({ field: 'model', message, received: model, expected: 'a model of the endpoint' })
  }
  if (!endpoint && model !== undefined && !/^[^/]+\/./.test(model)) {
    const message = 'must name its provider: anthropic/claude-sonnet-5'
    fields.push({ field: 'model', message, received: model, expected: 'provider/model' })
  }
  if (fields.length > 0) throw new ValidationError(fields)
}

/** The agent replaces `{env:…}` and `{file:…}` in its config, which these words are not meant for. */
function literally(json: string): string {
  return json.replace(/\{(?=env:|file:)/g, '\\u007b')
}

const SYSTEM_FILE = 'system-prompt.md'
const DOCUMENT = 'AGENTS.md'

/** What a run adds to the user's own config, as the variable that the agent reads it from. Secrets may be in it. */
export function configEnv(dialect: OpencodeDialect, options: RunOptions, files: RunFile[]): Record<string, string> {
  validate(options)
  const { endpoint, model, mcpServers = [], systemPrompt, systemPromptMode = 'append' } = options
  const rules = permission(options)
  const config: JsonRecord = {}
  if (endpoint) Object.assign(config, endpointConfig(dialect, endpoint, model))
  // Without a model the agent may choose a free one of its maker's gateway, and send the prompt there.
  else if (model === undefined && !continuesSession(options)) config.disabled_providers = dialect.freeProviders
  if (Object.keys(rules).length > 0) config.permission = rules
  if (mcpServers.length > 0) {
    config.mcp = Object.fromEntries(mcpServers.map((server) => [server.name, nativeMcpServer(server)]))
  }
  const skills = skillDirectories(options)
  if (skills.length > 0) config.skills = { paths: skills }
  const agent = mainAgent(dialect, options, rules)
  if (agent) Object.assign(config, { agent, default_agent: dialect.mainAgent })
  let json = literally(JSON.stringify(config))
  const instructions: RunFile[] = []
  if (options.agentsDoc !== undefined) instructions.push({ name: DOCUMENT, content: options.agentsDoc })
  if (systemPrompt !== undefined && systemPromptMode === 'append') {
    instructions.push({ name: SYSTEM_FILE, content: systemPrompt })
  }
  if (instructions.length > 0) {
    files.push(...instructions)
    const names = instructions.map(({ name }) => `{file:${name}}`)
    json = `${json.slice(0, -1)}${json === '{}' ? '' : ','}"instructions":${JSON.stringify(names)}}`
  }
  const maxOutput = options.maxOutputTokens ?? options.maxTokens
  const { envPrefix } = dialect
  return {
    ...dialect.env,
    ...(endpoint ? dialect.endpointEnv : {}),
    ...(json === '{}' ? {} : { [`${envPrefix}_CONFIG_CONTENT`]: json }),
    ...(maxOutput === undefined ? {} : { [`${envPrefix}_EXPERIMENTAL_OUTPUT_TOKEN_MAX`]: String(maxOutput) }),
    ...(options.noSession ? { [`${envPrefix}_DB`]: ':memory:' } : {}),
  }
}
