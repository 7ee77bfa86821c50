import type { AcpProfile } from '../families/acp/profile.ts'

export const profile: AcpProfile = {
  args: [],
  env: { VIBE_ENABLE_TELEMETRY: 'false', VIBE_ENABLE_UPDATE_CHECKS: 'false' },
  guidance: 'Set MISTRAL_API_KEY, or run `vibe --setup`.',
}
