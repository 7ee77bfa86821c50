import type { AcpProfile } from '../families/acp/profile.ts'

export const profile: AcpProfile = {
  args: ['acp'],
  guidance: 'Run `hermes setup`, or set the key of a provider, such as OPENROUTER_API_KEY.',
  exitWords: [
    {
      pattern: /^.*(no .*(api key|provider|credentials)|hermes (setup|login|auth)|unauthorized|401).*$/im,
      kind: 'auth',
    },
    { pattern: /^.*session.*not found.*$/im, kind: 'session_not_found' },
    { pattern: /^hermes.*: error: .*$/m, kind: 'invalid_request' },
  ],
}
