import type { AcpProfile } from '../families/acp/profile.ts'

export const profile: AcpProfile = {
  args: ['acp'],
  guidance: 'Run `cursor-agent login`, or set CURSOR_API_KEY.',
  exitWords: [
    {
      pattern: /^.*(authentication required|not logged in|cursor-agent login|agent login|invalid api key).*$/im,
      kind: 'auth',
    },
    { pattern: /^.*Cannot use this model.*$/m, kind: 'model_not_found' },
    { pattern: /^.*Workspace Trust Required.*$/m, kind: 'invalid_request' },
    { pattern: /^.*(usage limit|rate limit).*$/im, kind: 'quota' },
  ],
}
