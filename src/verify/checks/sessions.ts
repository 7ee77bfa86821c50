import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { subjects } from '../../adapters/subjects.ts'
import type { RunOptions } from '../../contract/run-options.ts'
import type { Session } from '../../contract/sessions.ts'
import {
  type Bench,
  type Check,
  CheckFailed,
  type Finished,
  must,
  mustEnd,
  mustKeepOrder,
  mustSay,
  mustSee,
} from '../check.ts'

export async function firstRun(
  bench: Bench,
  options: Partial<RunOptions> = {},
): Promise<Finished & { sessionId: string }> {
  const run = await bench.run({ prompt: 'first words', ...options })
  mustEnd(run, 'completed')
  const sessionId = run.result.sessionId || (await bench.readSessions())[0]?.sessionId
  must(sessionId !== undefined && sessionId !== '', 'no session id')
  return { ...run, sessionId }
}

export async function firstTurn(bench: Bench, options: Partial<RunOptions> = {}): Promise<string> {
  return (await firstRun(bench, options)).sessionId
}

async function checkResume(bench: Bench, nonInteractive: boolean): Promise<void> {
  const sessionId = await firstTurn(bench)
  const run = await bench.run({ prompt: 'second words', sessionId, nonInteractive })
  mustEnd(run, 'completed')
  mustKeepOrder(run)
  mustSay(run, 'I have seen 2 user turns')
  mustSay(run, 'first words')
  must(!run.result.text.includes('this is turn 1'), 'the answer of an earlier turn is repeated')
  mustHaveSent(bench, 'first words', 'Reply A: this is turn 1.', 'second words')
  must(run.result.sessionId === sessionId, 'the session id changed')
  must(mustSee(run, 'session_start').resumed, 'the session is not said to be resumed')
  const { priorTurnCount } = mustSee(run, 'session_resume')
  const isTrue = priorTurnCount === 1 || (priorTurnCount === undefined && !(await bench.readSessions()).length)
  must(isTrue, `${priorTurnCount} turns are said to have come before, not 1`)
  const { tokenUsage } = run.result
  if (!bench.tells('usage', nonInteractive)) return
  must(tokenUsage?.outputTokens === 25, `${tokenUsage?.outputTokens} output tokens, not the 25 of this turn`)
}

async function checkFork(bench: Bench, nonInteractive: boolean): Promise<void> {
  const sessionId = await firstTurn(bench)
  const before = await storedAs(bench, sessionId)
  const run = await bench.run({ prompt: 'forked words', forkSessionId: sessionId, nonInteractive })
  mustEnd(run, 'completed')
  mustSay(run, 'I have seen 2 user turns')
  must(!run.result.text.includes('this is turn 1'), 'the answer of an earlier turn is repeated')
  must(run.result.sessionId !== sessionId, 'the fork has the id of the original')
  must(mustSee(run, 'session_fork').forkedFrom === sessionId, 'the fork does not name its origin')
  mustHaveSent(bench, 'first words', 'Reply A: this is turn 1.', 'forked words')
  must((await storedAs(bench, sessionId)) === before, 'the fork has changed the session that it was made from')
  const { tokenUsage } = run.result
  const isCounted = !bench.tells('usage', nonInteractive) || tokenUsage?.outputTokens === 25
  must(isCounted, `${tokenUsage?.outputTokens} output tokens, not 25`)
  if (!bench.capabilities.canResume) return
  const original = await bench.run({ prompt: 'third words', sessionId })
  mustSay(original, 'I have seen 2 user turns')
}

/** All of it in the newest request, in this order. */
function mustHaveSent(bench: Bench, ...parts: string[]): void {
  const request = bench.sent().at(-1) ?? ''
  let at = 0
  for (const part of parts) {
    at = request.indexOf(part, at)
    must(at >= 0, `"${part}" was not sent to the model, or not in its place`)
  }
}

/** A session as its agent keeps it: the bytes of its file, or what a database holds of it. */
async function storedAs(bench: Bench, sessionId: string): Promise<string> {
  for (const path of await bench.sessionFiles()) {
    const session = await bench.adapter.parseSessionFile(path)
    if (session.sessionId === sessionId) {
      return existsSync(path) ? readFileSync(path, 'latin1') : JSON.stringify({ ...session, updatedAt: 0 })
    }
  }
  throw new CheckFailed(`session ${sessionId} is not in the store`)
}

/** Resumed twice, with a start of the agent in between, in which some tidy up. */
async function checkResumeSafe(bench: Bench, nonInteractive: boolean): Promise<void> {
  const sessionId = await firstTurn(bench)
  await bench.ageSessions()
  const { path, bytes } = await transcriptOf(bench, sessionId)
  const second = await bench.run({ prompt: 'second words', sessionId, nonInteractive })
  mustSay(second, 'I have seen 2 user turns')
  mustEnd(await bench.run({ prompt: 'other words' }), 'completed')
  must(existsSync(path), 'the transcript was lost')
  must(readFileSync(path).subarray(0, bytes.length).equals(bytes), 'the transcript has lost what was in it')
  const third = await bench.run({ prompt: 'third words', sessionId, nonInteractive })
  mustEnd(third, 'completed')
  mustSay(third, 'I have seen 3 user turns')
}

async function transcriptOf(bench: Bench, sessionId: string): Promise<{ path: string; bytes: Buffer }> {
  for (const path of await bench.sessionFiles()) {
    if ((await bench.adapter.parseSessionFile(path)).sessionId === sessionId) return { path, bytes: readFileSync(path) }
  }
  throw new CheckFailed(`session ${sessionId} has no file`)
}

export const sessions: readonly Check[] = [
  {
    name: 'resume',
    title: 'resume a session',
    scenario: 'multi-turn',
    applies: (c) => c.canResume,
    run: (bench) => checkResume(bench, false),
  },
  {
    name: 'one-shot-resume',
    title: 'resume a session, one-shot',
    scenario: 'multi-turn',
    applies: (c) => c.canResume,
    run: (bench) => checkResume(bench, true),
  },
  ...[false, true].map(
    (oneShot): Check => ({
      name: oneShot ? 'one-shot-resume-safe' : 'resume-safe',
      title: oneShot ? 'a resumed session is not lost, one-shot' : 'a resumed session is not lost',
      scenario: 'multi-turn',
      applies: (c) => subjects[c.agent]?.agedSession !== undefined,
      run: (bench) => checkResumeSafe(bench, oneShot),
    }),
  ),
  {
    name: 'fork',
    title: 'fork a session',
    scenario: 'multi-turn',
    applies: (c) => c.canFork,
    run: (bench) => checkFork(bench, false),
  },
  {
    name: 'resume-unknown',
    title: 'an unknown session is said to be unknown',
    scenario: 'text',
    applies: (c) => c.canResume,
    async run(bench) {
      const run = await bench.run({ sessionId: randomUUID() })
      mustEnd(run, 'failed')
      must(run.result.error?.code === 'SESSION_NOT_FOUND', `the error is ${run.result.error?.code}`)
    },
  },
  {
    name: 'session-id',
    title: 'a session id chosen by the caller',
    scenario: 'text',
    applies: (c) => c.supportsSessionId === true,
    async run(bench) {
      const newSessionId = randomUUID()
      const run = await bench.run({ newSessionId })
      mustEnd(run, 'completed')
      must(run.result.sessionId === newSessionId, `the session id is ${run.result.sessionId}`)
    },
  },
  {
    name: 'ephemeral',
    title: 'a run that leaves no session',
    scenario: 'text',
    applies: (c) => c.supportsEphemeral === true,
    async run(bench) {
      const run = await bench.run({ noSession: true })
      mustEnd(run, 'completed')
      const files = await bench.sessionFiles()
      must(files.length === 0, `session files were written: ${files.join(', ')}`)
    },
  },
  {
    name: 'session-file',
    title: 'reading its session files',
    scenario: 'tool',
    applies: (c) => c.sessionPersistence !== 'none',
    async run(bench) {
      const run = await bench.run({ prompt: 'words for the file', approvalMode: 'yolo' })
      mustEnd(run, 'completed')
      const stored = await bench.readSessions()
      const isNotified = bench.tells('session id', false)
      const session = isNotified ? stored.find((one) => one.sessionId === run.result.sessionId) : stored[0]
      must(session !== undefined, `session ${run.result.sessionId} was not found in ${stored.length} files`)
      must(session.title.includes('words for the file'), `the title is ${JSON.stringify(session.title)}`)
      const hasCalls = session.messages.some((message) => (message.toolCalls?.length ?? 0) > 0)
      must(hasCalls || !bench.capabilities.supportsNativeTools, 'no tool call in the session')
      const answer = hasCalls ? 'The command has run.' : 'I will run a command.'
      must(
        session.messages.some((message) => message.content.includes(answer)),
        'no answer in the session',
      )
      await mustBeListed(bench, session)
    },
  },
]

/** In the list of all sessions, and known to be resumable where the agent can. */
async function mustBeListed(bench: Bench, { sessionId }: Session): Promise<void> {
  const listed = (await bench.sessions.list(bench.agent)).find((one) => one.sessionId === sessionId)
  must(listed !== undefined, 'it is not in the list of sessions')
  must(listed.title.includes('words for the file'), `its title in the list is ${JSON.stringify(listed.title)}`)
  must(listed.cwd === undefined || listed.cwd === bench.cwd, `its directory in the list is ${listed.cwd}`)
  const answer = await bench.sessions.resumable(bench.agent, sessionId)
  const { canResume } = bench.capabilities
  must(answer.resumable === canResume, `resumable: ${JSON.stringify(answer)}, but the agent can resume: ${canResume}`)
}
