import type { AcpProfile } from '../families/acp/profile.ts'

export const profile: AcpProfile = {
  args: ['acp'],
  guidance: 'Run `goose configure`, or set GOOSE_PROVIDER, GOOSE_MODEL and the key of the provider.',
  exitWords: [
    { pattern: /^.*(no provider configured|provider.*not configured|goose configure).*$/im, kind: 'auth' },
    { pattern: /^.*(401|unauthorized|authentication).*$/im, kind: 'auth' },
    { pattern: /^.*session.*not found.*$/im, kind: 'session_not_found' },
  ],
}
