import type { AcpProfile } from '../acp/profile.ts'

export const LOGIN_GUIDANCE = 'Run `kimi login`, or set up a provider with `kimi provider`.'

export const profile: AcpProfile = {
  args: ['acp'],
  env: { KIMI_CODE_NO_AUTO_UPDATE: '1' },
  endpointModel: '__kimi_env_model__',
  effortVariable: 'KIMI_MODEL_THINKING_EFFORT',
  modes: { yolo: 'yolo', deny: 'plan' },
  guidance: LOGIN_GUIDANCE,
  toolName: 'title',
  subagentTools: ['Agent'],
}
