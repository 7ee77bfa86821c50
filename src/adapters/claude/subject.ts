import type { Subject } from '../kit/subject.ts'

export const subject: Subject = {
  protocol: 'anthropic',
  alternativeModel: 'claude-sonnet-5-5',
  // IS_SANDBOX: it refuses to skip permissions for root otherwise, and CI often is root.
  env: { IS_SANDBOX: '1' },
  screenFiles: {
    '.claude.json': { hasCompletedOnboarding: true, theme: 'dark' },
    // Its default lets a model decide what to ask for.
    '.claude/settings.json': { permissions: { ask: ['Bash'] } },
  },
}
