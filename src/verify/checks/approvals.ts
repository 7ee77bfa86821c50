import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Bench, type Check, must, mustEnd, mustKeepOrder, mustNotSee, mustSay, mustSee } from '../check.ts'

/** Some agents do not even offer the model what it may not do: then nothing had to be blocked. */
function wasTried({ server }: Bench): boolean {
  return server.requests.some(({ calledTools }) => calledTools.length > 0)
}

export const approvals: readonly Check[] = [
  {
    name: 'approve',
    title: 'approvals: granted',
    scenario: 'escalate',
    applies: (c) => c.supportsApprovals === true,
    async run(bench) {
      const run = await bench.run({ approvalMode: 'prompt' }, (event, handle) => {
        if (event.type === 'approval_request') void handle.approve()
      })
      mustEnd(run, 'completed')
      mustKeepOrder(run)
      const request = mustSee(run, 'approval_request')
      const granted = mustSee(run, 'approval_granted')
      must(request.interactionId === granted.interactionId, 'another request was granted')
      must(existsSync(join(bench.cwd, 'made-by-tool.txt')), 'the approved command has not run')
    },
  },
  {
    name: 'deny',
    title: 'approvals: denied',
    scenario: 'escalate',
    applies: (c) => c.supportsApprovals === true,
    async run(bench) {
      const run = await bench.run({ approvalMode: 'prompt' }, (event, handle) => {
        if (event.type === 'approval_request') void handle.deny('not today')
      })
      mustEnd(run, 'permission_blocked')
      mustKeepOrder(run)
      mustSee(run, 'approval_denied')
      mustSee(run, 'tool_error')
      must(!existsSync(join(bench.cwd, 'made-by-tool.txt')), 'the denied command has run')
      must(run.result.turnCount === 1, 'the turn did not go on to its end')
    },
  },
  {
    name: 'mode-deny',
    title: 'mode deny: nothing is written',
    scenario: 'write',
    applies: (c) => c.approvalModes.includes('deny'),
    async run(bench) {
      const run = await bench.run({ approvalMode: 'deny' })
      mustEnd(run, wasTried(bench) ? 'permission_blocked' : 'completed')
      must(!existsSync(join(bench.cwd, 'scripted.txt')), 'the file was written')
    },
  },
  {
    name: 'one-shot-deny',
    title: 'mode deny, one-shot: nothing is written',
    scenario: 'write',
    applies: (c) => c.approvalModes.includes('deny'),
    async run(bench) {
      const run = await bench.run({ approvalMode: 'deny', nonInteractive: true })
      mustEnd(run, wasTried(bench) ? 'permission_blocked' : 'completed')
      if (wasTried(bench)) mustSee(run, 'tool_error')
      must(!existsSync(join(bench.cwd, 'scripted.txt')), 'the file was written')
    },
  },
  {
    name: 'mode-yolo',
    title: 'mode yolo: nothing is asked',
    scenario: 'write',
    applies: (c) => c.approvalModes.includes('yolo'),
    async run(bench) {
      const run = await bench.run({ approvalMode: 'yolo' })
      mustEnd(run, 'completed')
      mustNotSee(run, 'approval_request')
      must(existsSync(join(bench.cwd, 'scripted.txt')), 'the file was not written')
    },
  },
  {
    name: 'question',
    title: 'questions to the user',
    scenario: 'question',
    applies: (c) => c.supportsQuestions === true,
    async run(bench) {
      const run = await bench.run({ onInputRequired: () => 'Blue' })
      mustEnd(run, 'completed')
      mustKeepOrder(run)
      const { question } = mustSee(run, 'input_required')
      must(question.includes('Which colour do you like?'), `the question is ${question}`)
      must(bench.sent().at(-1)?.includes('Blue') ?? false, 'the answer was not sent to the model')
      mustSay(run, 'Thank you for the answer.')
    },
  },
]
