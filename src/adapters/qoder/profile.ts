import type { AcpProfile } from '../families/acp/profile.ts'

/** `--acp` is not in the help, and works. */
export const profile: AcpProfile = {
  args: ['--acp'],
  modelFlag: '--model',
  guidance: 'Run `qodercli login`, or set QODER_PERSONAL_ACCESS_TOKEN.',
  exitWords: [
    { pattern: /^.*NetworkAttemptError.*$/m, kind: 'network' },
    { pattern: /^.*exchangePersonalToken.*$/m, kind: 'auth' },
  ],
}
