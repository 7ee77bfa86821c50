import type { EndpointPlan } from '../../contract/adapter.ts'
import { CapabilityError } from '../../contract/errors.ts'
import type { EndpointOverride, EndpointProtocol, RunOptions } from '../../contract/run-options.ts'
import type { RunFile, SpawnArgs } from '../../contract/spawn.ts'
import { libraryUrl, protocolOf } from '../../core/endpoint.ts'
import { refuseOptions } from '../../core/unsupported.ts'
import { continuesSession } from '../kit/continues-session.ts'
import { checkNewSessionId } from '../kit/new-session-id.ts'
import { spawnArgs } from '../kit/spawn-args.ts'
import { manifest } from './manifest.ts'
import { customModelId, images, RPC_ARGS } from './rpc.ts'

const PROVIDERS: Partial<Record<EndpointProtocol, string>> = {
  'openai-chat': 'generic-chat-completion-api',
  'openai-responses': 'openai',
  anthropic: 'anthropic',
}

const NEEDS_ENDPOINT = 'droid takes it for a model of your own endpoint only. Leave it out, or give `lenient`.'

function refuseUnsupported(options: RunOptions): void {
  if (!options.endpoint && !options.lenient)
    refuseOptions('droid', options, {
      maxTokens: NEEDS_ENDPOINT,
      maxOutputTokens: NEEDS_ENDPOINT,
    })
  if (options.systemPrompt !== undefined && options.systemPromptMode === 'replace' && continuesSession(options)) {
    throw new CapabilityError('droid', 'replacing the system prompt of a session that exists', { hint: 'Use append.' })
  }
  checkNewSessionId(options, { forForks: false })
}

/** The model of the run and, so that it can be changed in a run, all that we know by name. */
function customModels(endpoint: EndpointOverride, options: Partial<RunOptions>) {
  const protocol = protocolOf(manifest.capabilities, endpoint)
  const names = new Set([options.model ?? manifest.defaultModelId ?? '', ...manifest.models.map((one) => one.modelId)])
  return [...names].map((model) => ({
    id: customModelId(model),
    model,
    displayName: model,
    baseUrl: libraryUrl(endpoint, protocol),
    apiKey: endpoint.apiKey,
    provider: PROVIDERS[protocol],
    noImageSupport: false,
    maxOutputTokens: options.maxOutputTokens ?? options.maxTokens,
    reasoningEffort: options.thinkingEffort,
  }))
}

/** A settings file of this run only. Without a key there is no model in it, so that the CLI says that it has none. */
export function endpointOverride(endpoint: EndpointOverride, options: Partial<RunOptions> = {}): EndpointPlan {
  const settings = { customModels: customModels(endpoint, options) }
  if (endpoint.apiKey === '') settings.customModels.length = 0
  return {
    env: {
      // Without the cloud: no login is asked for, nothing is synchronised or reported.
      FACTORY_AIRGAP_ENABLED: endpoint.apiKey === '' ? '' : 'true',
      FACTORY_API_KEY: '',
      FACTORY_DISABLE_KEYRING: 'true',
      DROID_DISABLE_AUTO_UPDATE: 'true',
    },
    args: ['--settings', '{file:settings.json}'],
    files: [{ name: 'settings.json', content: JSON.stringify(settings) }],
  }
}

export function systemPromptFlags({ systemPrompt, systemPromptMode }: RunOptions, files: RunFile[]): string[] {
  if (systemPrompt === undefined || systemPromptMode === 'replace') return []
  files.push({ name: 'system-prompt.txt', content: systemPrompt })
  return ['--append-system-prompt-file', '{file:system-prompt.txt}']
}

/** Of the flags only these have an effect in the JSON-RPC form; all else travels in the requests. */
export function buildSpawnArgs(options: RunOptions): SpawnArgs {
  refuseUnsupported(options)
  images(options)
  const endpoint = options.endpoint && endpointOverride(options.endpoint, options)
  const files: RunFile[] = [...(endpoint?.files ?? [])]
  const flags = [...(endpoint?.args ?? [])]
  if (options.approvalMode === 'yolo') flags.push('--skip-permissions-unsafe')
  flags.push(...systemPromptFlags(options, files))
  return spawnArgs(options, {
    command: manifest.cliCommand,
    args: [...RPC_ARGS, ...flags],
    env: endpoint?.env,
    files,
  })
}
