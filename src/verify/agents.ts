import type { AgentName } from '../contract/names.ts'
import type { Protocol } from '../scripted/index.ts'

/** What the suite must know of an agent to put it on the scripted server. */
export interface Subject {
  protocol: Protocol
  /** The model of most checks; without one, the agent's default. */
  model?: string
  alternativeModel: string
  /** What the agent calls its shell; `Bash` without. */
  shellTool?: string
  /** Fewer retries than the agent makes by itself, so that a check of a failure ends soon. */
  env: Record<string, string>
  /** The same where the agent has settings for it only: contents of files below its scratch home. */
  files?: Record<string, object>
  /** For an agent whose own retries take longer than that of others. */
  timeoutMs?: number
}

export const subjects: Readonly<Record<AgentName, Subject>> = {
  claude: {
    protocol: 'anthropic',
    alternativeModel: 'claude-sonnet-5-5',
    // IS_SANDBOX: it refuses to skip permissions for root otherwise, and CI often is root.
    env: { CLAUDE_CODE_MAX_RETRIES: '1', IS_SANDBOX: '1' },
  },
  codex: {
    protocol: 'openai-responses',
    model: 'gpt-5.5-codex',
    alternativeModel: 'gpt-6.1-sol',
    env: {},
  },
  droid: {
    protocol: 'openai-chat',
    alternativeModel: 'claude-sonnet-5',
    shellTool: 'Execute',
    env: {},
  },
  omp: {
    protocol: 'openai-chat',
    model: 'claude-opus-4-8',
    alternativeModel: 'gpt-5.5',
    env: {},
    files: { '.omp/agent/config.yml': { retry: { maxRetries: 1, baseDelayMs: 100 } } },
  },
  pi: {
    protocol: 'anthropic',
    model: 'claude-opus-4-8',
    alternativeModel: 'gpt-5.5',
    env: {},
    files: { '.pi/agent/settings.json': { retry: { maxRetries: 1, baseDelayMs: 500 } } },
  },
  qwen: {
    protocol: 'openai-chat',
    model: 'qwen3.7-max',
    alternativeModel: 'qwen3-coder-plus',
    env: {},
    // Seven tries of a request, whatever the settings say.
    timeoutMs: 150_000,
    files: {
      '.qwen/settings.json': {
        general: { enableAutoUpdate: false },
        // Its agents on the side would be played the scenario, too.
        memory: { enableManagedAutoMemory: false, enableManagedAutoDream: false, enableAutoSkill: false },
        model: { generationConfig: { maxRetries: 0 } },
      },
    },
  },
}
