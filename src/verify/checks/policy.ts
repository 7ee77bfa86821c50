import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Policy } from '../../contract/policy.ts'
import { type Bench, type Check, must, mustEnd, mustKeepOrder, mustNotSee, mustSee } from '../check.ts'

const POLICY: Policy = {
  version: 1,
  rules: [
    { allow: { command: 'touch *' }, reason: 'touch is harmless' },
    { deny: { command: 'touch forbidden*' }, reason: 'not this file' },
  ],
}

const FORBIDDEN: Policy = {
  ...POLICY,
  rules: [...POLICY.rules, { deny: { kind: 'execute', command: 'echo *' }, reason: 'no words' }],
}

const hasRun = (bench: Bench) => existsSync(join(bench.cwd, 'made-by-tool.txt'))

export const policyChecks: readonly Check[] = [
  {
    name: 'policy-allow',
    title: 'policy: a rule allows, nobody is asked',
    scenario: 'escalate',
    applies: (c) => c.supportsApprovals === true,
    async run(bench) {
      const run = await bench.run({ policy: POLICY, nonInteractive: true })
      mustEnd(run, 'completed')
      mustKeepOrder(run)
      const { kind, command } = mustSee(run, 'approval_request')
      must(kind === 'execute' && command?.includes('touch made-by-tool.txt') === true, `asked for ${kind}: ${command}`)
      const granted = mustSee(run, 'approval_granted')
      must(granted.by === 'policy' && granted.reason === 'touch is harmless', 'the rule is not reported')
      must(hasRun(bench), 'the allowed command has not run')
    },
  },
  {
    name: 'policy-deny',
    title: 'policy: a rule forbids, also what is harmless',
    scenario: 'tool',
    applies: (c) => c.supportsApprovals === true,
    async run(bench) {
      const run = await bench.run({ policy: FORBIDDEN })
      mustEnd(run, 'permission_blocked')
      const denied = mustSee(run, 'approval_denied')
      must(denied.by === 'policy' && denied.reason === 'no words', 'the rule is not reported')
      mustNotSee(run, 'tool_result')
    },
  },
  {
    name: 'policy-ask',
    title: 'policy: what no rule settles is asked, and denied when nobody is there',
    scenario: 'escalate',
    applies: (c) => c.supportsApprovals === true,
    async run(bench) {
      const policy: Policy = { version: 1, rules: [{ allow: { command: 'git status*' } }] }
      const alone = await bench.run({ policy, nonInteractive: true })
      mustEnd(alone, 'permission_blocked')
      must(mustSee(alone, 'approval_denied').by === 'policy', 'the policy has not decided')
      must(!hasRun(bench), 'the command has run without an answer')
      let asked = 0
      const run = await bench.run({ policy }, (event, handle) => {
        if (event.type !== 'approval_request') return
        asked += 1
        void handle.approve()
      })
      mustEnd(run, 'completed')
      must(asked > 0 && mustSee(run, 'approval_granted').by === undefined, 'nobody was asked')
      must(hasRun(bench), 'the approved command has not run')
    },
  },
]
