import { expect, test } from 'vitest'
import type { AgentAdapter } from '../contract/adapter.ts'
import cline from './cline/index.ts'
import droid from './droid/index.ts'
import grok from './grok/index.ts'
import kimi from './kimi/index.ts'

const RULE = '─'.repeat(60)

// How the last lines look when a turn has failed, and after the next one went well; no hook of one launch reports it.
const SCREENS: Record<string, { adapter: AgentAdapter; failed: string[]; next: string[]; below: string[] }> = {
  'kimi 2.1': {
    adapter: kimi,
    failed: [
      ' ✨ first words',
      '   Error: [provider.auth_error] 401 Incorrect API key provided: sk-fake.',
      "   If this persists, run `/export-debug-zip` and share the file with us for diagnosis. Please don't share it",
      ' publicly.',
    ],
    next: [' ✨ second words', ' ● Hello.'],
    below: [` ╭${RULE}╮`, ' │ >      │', ` ╰${RULE}╯`, ' kimi ~/project', '        context: 1% (65/256k)'],
  },
  'droid 0.225': {
    adapter: droid,
    failed: [
      '   first words',
      '●  BYOK Error: 401 Incorrect API key provided: sk-fake.',
      '   Upstream error: Incorrect API key provided: sk-fake.',
      '   If this persists, verify your custom model configuration in settings.',
    ],
    next: ['   second words', '⛬  Hello.'],
    below: [
      ' Auto (Off) · all actions require approval',
      `╭${RULE}╮`,
      '│ >      │',
      `╰${RULE}╯`,
      '? for help               IDE ◌',
    ],
  },
  'grok 1.0.41': {
    adapter: grok,
    failed: ['     ❯ first words      12:51 PM', '  ┃  401 Incorrect API key provided:', '  ┃  sk-fake.           █'],
    next: ['     ❯ second words      12:52 PM', '     Hello. ┃ a drawing', '       █', '     Worked for 0.1s'],
    below: [`  ╭${RULE}╮`, '  │ ❯      │', `  ╰${RULE}╯`, '  Shift+Tab:mode  │  Ctrl+x:shortcuts'],
  },
  'cline 3.0': {
    adapter: cline,
    failed: [' ❯ first words', ' * Error: 401 Incorrect API key provided: sk-fake.'],
    next: [' ❯ second words', ' * Hello.'],
    below: [RULE, '❯ Ask anything...', RULE, ' model (0) $0.00        ○ Plan ● Act (Tab)', ' project'],
  },
}

test.each(Object.entries(SCREENS))('%s', (_name, { adapter, failed, next, below }) => {
  const before = adapter.readScreen?.(['  Welcome', ...below])
  expect(before).toMatchObject({ state: 'idle' })
  expect(before).not.toHaveProperty('ended')
  expect(adapter.readScreen?.([...failed, ...below])).toMatchObject({
    state: 'idle',
    ended: 'failed',
    detail: '401 Incorrect API key provided: sk-fake.',
  })
  const after = adapter.readScreen?.([...failed, ...next, ...below])
  expect(after).toMatchObject({ state: 'idle' })
  expect(after).not.toHaveProperty('ended')
})
