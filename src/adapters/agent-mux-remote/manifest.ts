import { defineManifest, EVERY_APPROVAL_MODE, UP_TO_MAX } from '../../core/define-manifest.ts'
import { REMOTE_COMMAND } from './options.ts'

/** What can be asked for is known over there only, so everything is handed on, and refused there. */
export const manifest = defineManifest({
  agent: 'agent-mux-remote',
  displayName: 'agent-mux (remote)',
  cliCommand: 'amux',
  commandVariable: REMOTE_COMMAND,
  provenVersion: '0.1.0',
  verification: 'partly-verified',
  npmPackage: 'agent-mux',
  capabilities: {
    canFork: true,
    supportsSessionId: true,
    supportsEphemeral: true,
    supportsToolCallStreaming: true,
    requiresToolApproval: false,
    approvalModes: EVERY_APPROVAL_MODE,
    supportsQuestions: true,
    supportsToolLists: true,
    supportsAddDirs: true,
    thinkingEffortLevels: UP_TO_MAX,
    supportsThinkingBudgetTokens: true,
    supportsThinkingOverride: true,
    systemPromptModes: ['append', 'prepend', 'replace'],
    supportsJsonMode: true,
    supportsStructuredOutput: true,
    supportsMaxTurns: true,
    supportsSkills: true,
    supportsAgentsMd: true,
    supportsSubagentDispatch: true,
    supportsParallelExecution: true,
    supportsSteer: true,
    supportsSetModel: true,
    supportsImageOutput: true,
    authMethods: ['none'],
  },
  hostEnvSignals: [],
  // Ours, and what leads to another machine: ssh, docker, kubectl.
  passEnv: ['SSH_AUTH_SOCK', 'DOCKER_HOST', 'DOCKER_CONTEXT', 'KUBECONFIG'],
  auth: {
    providerName: 'the way to the other machine',
    envVars: [],
    files: [],
    documentationUrls: [],
  },
  quirks: [
    'The variables of a run say where it goes: AMUX_REMOTE_AGENT (default claude), AMUX_REMOTE_COMMAND (default amux), AMUX_REMOTE_CWD (default: where that amux is started).',
    'The capabilities are those of the link. What the agent over there cannot do is refused over there, so the run fails instead of throwing.',
    'Paths in the options are paths over there. Keys of this machine do not travel unless they are named in env.',
    'pause() holds the link, not the agent over there, which goes on until its output is not read any more.',
  ],
})
