import type { AcpProfile } from '../families/acp/profile.ts'

export const profile: AcpProfile = {
  args: [],
  env: {
    VIBE_ENABLE_TELEMETRY: 'false',
    VIBE_ENABLE_UPDATE_CHECKS: 'false',
    // The request for a title is paid for, and missing in its counts (3.0.2).
    VIBE_SESSION_LOGGING__GENERATE_TITLES: 'false',
  },
  // Without a mode it edits files unasked.
  modes: { prompt: 'ask', 'accept-edits': 'accept-edits', yolo: 'auto-approve' },
  guidance: 'Set MISTRAL_API_KEY, or run `vibe --setup`.',
  echoesPrompt: true,
  maxTurnsOption: 'max_turns',
  usageScope: 'session',
  retryNotice: '_session/retrying',
}
