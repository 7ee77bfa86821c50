import { isAbsolute, resolve } from 'node:path'
import type { EndpointPlan } from '../../contract/adapter.ts'
import type { ApprovalMode, EndpointOverride, RunOptions } from '../../contract/run-options.ts'
import type { RunFile, SpawnArgs } from '../../contract/spawn.ts'
import { ENDPOINT_KEY, endpointModel, endpointModels, endpointStatements } from '../families/pi/endpoint.ts'
import { extensionFlags } from '../families/pi/extension.ts'
import { attachmentFlags, systemPromptFlags } from '../families/pi/flags.ts'
import { joinPrompt } from '../kit/prompt.ts'
import { joinedFlag, spawnArgs } from '../kit/spawn-args.ts'
import { manifest } from './manifest.ts'
import { mcpFlags, mcpStatements } from './mcp.ts'

/** What is asked for in mode deny is denied: by us in the live form, by the CLI itself in the one-shot form. */
const APPROVAL_FLAGS: Record<ApprovalMode, string> = {
  prompt: '--approval-mode=always-ask',
  'accept-edits': '--approval-mode=write',
  yolo: '--approval-mode=yolo',
  deny: '--approval-mode=always-ask',
}

/** Model traffic to another endpoint, by an extension that adds it as a provider. */
export function endpointOverride(endpoint: EndpointOverride): EndpointPlan {
  const files: RunFile[] = []
  const args = extensionFlags([endpointStatements(endpoint, endpointModels(manifest))], files)
  return { env: { [ENDPOINT_KEY]: endpoint.apiKey, PI_OFFLINE: '1' }, args, files }
}

/** The models for helper tasks too, or the CLI would look for another provider of its own. */
function modelFlags(options: RunOptions): string[] {
  if (!options.endpoint) return joinedFlag('--model', options.model)
  const name = endpointModel(manifest, options)
  return [`--model=${name}`, `--smol=${name}`, `--slow=${name}`, '--no-title']
}

function sessionFlags(options: RunOptions): string[] {
  return [
    ...joinedFlag('--resume', options.sessionId),
    ...joinedFlag('--fork', options.forkSessionId),
    ...(options.noSession ? ['--no-session'] : []),
  ]
}

/**
 * The CLI has a list of tools to give to the model; what it must not use is denied by its settings. Tools of MCP servers
 * are devices behind other tools unless the settings say otherwise.
 */
function toolFlags({ allowedTools, disallowedTools, mcpServers }: RunOptions, files: RunFile[]): string[] {
  const flags = allowedTools?.length ? [`--tools=${allowedTools.join(',')}`] : []
  const approval = disallowedTools?.length
    ? Object.fromEntries(disallowedTools.map((name) => [name, 'deny']))
    : undefined
  const xdev = mcpServers?.length ? false : undefined
  if (approval === undefined && xdev === undefined) return flags
  // JSON is YAML.
  files.push({ name: 'config.yml', content: JSON.stringify({ tools: { approval, xdev } }) })
  return [...flags, '--config={file:config.yml}']
}

function optionFlags(options: RunOptions): string[] {
  const { addDirs = [], approvalMode, thinkingEffort, cwd = '.' } = options
  return [
    ...(approvalMode === undefined ? [] : [APPROVAL_FLAGS[approvalMode]]),
    ...joinedFlag('--thinking', thinkingEffort),
    ...addDirs.map((dir) => `--add-dir=${isAbsolute(dir) ? dir : resolve(cwd, dir)}`),
  ]
}

function statementsOf({ endpoint, model, mcpServers }: RunOptions): string[] {
  return [
    ...(endpoint ? [endpointStatements(endpoint, endpointModels(manifest, model))] : []),
    ...mcpStatements(mcpServers),
  ]
}

/** What all its forms have in common. */
export function commonFlags(options: RunOptions, files: RunFile[]): string[] {
  return [
    // In the home directory the CLI would go somewhere else by itself.
    '--allow-home',
    ...modelFlags(options),
    ...sessionFlags(options),
    ...optionFlags(options),
    ...toolFlags(options, files),
    ...mcpFlags(options.mcpServers, files),
    ...systemPromptFlags(options, files),
    ...extensionFlags(statementsOf(options), files),
  ]
}

/**
 * The live form is RPC mode with dialogs and gets its prompt as the dialogue's first message; the one-shot form is
 * JSON mode and reads the prompt from stdin. It is never on the command line.
 */
export function buildSpawnArgs(options: RunOptions): SpawnArgs {
  const oneShot = options.nonInteractive === true
  const files: RunFile[] = []
  return spawnArgs(options, {
    command: manifest.cliCommand,
    args: [
      oneShot ? '--mode=json' : '--mode=rpc-ui',
      ...commonFlags(options, files),
      ...attachmentFlags('omp', options),
    ],
    env: options.endpoint && endpointOverride(options.endpoint).env,
    stdin: oneShot ? joinPrompt(options.prompt) : undefined,
    files,
  })
}
