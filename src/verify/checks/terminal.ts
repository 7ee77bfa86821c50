import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Bench, type Check, CheckFailed, must } from '../check.ts'
import { dialogKeys } from '../dialog-keys.ts'
import type { TerminalBench } from '../terminal-bench.ts'

const GREETING = 'Hello from the scripted model.'

async function withTerminal(
  bench: Bench,
  options: Parameters<Bench['terminal']>[0],
  use: (terminal: TerminalBench) => Promise<void>,
): Promise<void> {
  const terminal = await bench.terminal(options)
  try {
    await use(terminal)
  } finally {
    await terminal.close()
  }
  const left = await bench.processesLeft(terminal.runId)
  must(left.length === 0, `${left.length} processes are left`)
}

const asked = (bench: Bench, text: string) => () => bench.sent().some((request) => request.includes(text))

/** In the words of the CLIs: the result of a call that somebody has refused. */
const REFUSAL = /reject|declin|denied|refus|cancel|interrupt|aborted|doesn't want|not (?:allowed|approved)/i

/** Refuses what is asked for, sees that the model learns of it, and lets it ask again. */
async function denyFirst(bench: Bench, terminal: TerminalBench): Promise<void> {
  await terminal.decide('deny')
  const isAtRest = async () => (await terminal.facts()).at(-1)?.state === 'idle'
  await terminal.until('at rest after the refusal', isAtRest)
  must(!existsSync(join(bench.cwd, 'made-by-tool.txt')), 'the tool ran although it was denied')
  bench.server.use('text')
  await terminal.send('second words')
  await terminal.untilShown(GREETING)
  const reported = bench.sent().find((request) => request.includes('second words')) ?? ''
  const call = reported.indexOf('touch made-by-tool.txt')
  const since = call === -1 ? '' : reported.slice(call, reported.indexOf('second words'))
  if (bench.forgetsRefusedCalls)
    must(since === '', `the call that was refused is not forgotten: ${since.slice(0, 500)}`)
  else must(REFUSAL.test(since), `the model did not learn that its call was refused, but: ${since.slice(0, 500)}`)
  await terminal.until('at rest again', isAtRest)
  bench.server.use('escalate')
  await terminal.send('third words')
}

export const terminal: readonly Check[] = [
  {
    name: 'terminal',
    title: "the agent's own screen in a terminal: prompt, messages, end",
    scenario: 'text',
    applies: (c) => c.supportsTerminal === true,
    async run(bench) {
      await withTerminal(bench, { prompt: 'first words' }, async (terminal) => {
        await terminal.untilShown(GREETING)
        must(asked(bench, 'first words')(), 'the prompt has not reached the model')
        await terminal.send('second words')
        await terminal.until('asked by the message', asked(bench, 'second words'))
        const blocked = (await terminal.facts()).find((fact) => fact.state === 'blocked')
        must(blocked === undefined, `a dialog came up: ${blocked?.detail}`)
      })
    },
  },
  {
    name: 'terminal-dialog',
    title: 'a permission dialog on its screen is seen, and keeps messages out',
    scenario: 'escalate',
    applies: (c) => c.supportsTerminal === true && c.supportsApprovals === true,
    async run(bench) {
      await withTerminal(bench, { prompt: 'first words', approvalMode: 'prompt' }, async (terminal) => {
        const isBlocked = async () => (await terminal.facts()).at(-1)?.state === 'blocked'
        await terminal.until('blocked', isBlocked)
        const refused = await terminal.send('y').then(
          () => false,
          () => true,
        )
        must(refused, 'a message went into the dialog')
        must(!existsSync(join(bench.cwd, 'made-by-tool.txt')), 'the tool ran before it was allowed')
        const { isKnown } = dialogKeys(bench)
        if (isKnown) {
          await denyFirst(bench, terminal)
          await terminal.until('blocked again', isBlocked)
          await terminal.decide('approve')
        } else await terminal.press('\r')
        await terminal.until('past the dialog', async () => !(await isBlocked()))
        await terminal.until('done by the tool', () => existsSync(join(bench.cwd, 'made-by-tool.txt')))
      })
    },
  },
  {
    name: 'terminal-resume',
    title: 'a session goes on in a terminal',
    scenario: 'text',
    applies: (c) => c.supportsTerminal === true && c.canResume,
    async run(bench) {
      await withTerminal(bench, { prompt: 'first words' }, (terminal) => terminal.untilShown(GREETING))
      // Some begin an empty one each time that they start.
      const session = (await bench.readSessions()).find(({ messages }) => messages.length > 0)
      if (!session) throw new CheckFailed('there is no session')
      await withTerminal(bench, { prompt: '', sessionId: session.sessionId }, async (terminal) => {
        await terminal.untilShown('first words')
        await terminal.send('second words')
        const both = () => bench.sent().some((one) => one.includes('first words') && one.includes('second words'))
        await terminal.until('asked with both', both)
      })
    },
  },
]
