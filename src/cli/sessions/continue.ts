import { AgentMuxError } from '../../contract/errors.ts'
import type { AgentName } from '../../contract/names.ts'
import type { Continuation } from '../../contract/session-manager.ts'
import type { CommandContext, CommandInput } from '../command.ts'
import { usageError } from '../command.ts'
import { RUN_FLAGS } from '../run/flags.ts'
import { runAgent } from '../run/run-agent.ts'
import { pickSession, resumableSessions } from './pick.ts'

const { session: _session, fork: _fork, 'no-session': _none, 'session-id': _id, stdio: _stdio, ...rest } = RUN_FLAGS

/** Those of `amux run` but for the ones that name a session. */
export const CONTINUE_FLAGS = rest

type ContinueValues = CommandInput<typeof CONTINUE_FLAGS>['flags']

interface Chosen {
  session: { agent: AgentName; sessionId: string }
  /** The words after the id. */
  prompt: string[]
}

/** The session that the first word names, or that the user chooses of those that allow it when there is none. */
export async function sessionToContinue(
  words: readonly string[],
  flags: ContinueValues,
  context: CommandContext,
  question: string,
  how: Continuation | null,
): Promise<Chosen> {
  const { sessions } = await context.client(flags)
  const [id, ...prompt] = words
  if (id !== undefined) return { session: await sessions.resolve(id), prompt }
  if (process.stdin.isTTY !== true || process.stdout.isTTY !== true || context.output.json) {
    throw usageError(
      'Which session? Name it by its id',
      '`amux sessions list` shows the ids; on a terminal you may choose.',
    )
  }
  const found = how ? await resumableSessions(sessions, flags.agent, how) : await sessions.list(flags.agent)
  if (found.length === 0) {
    throw new AgentMuxError('SESSION_NOT_FOUND', `There is no session to ${how ?? 'choose from'}`, {
      hint: '`amux sessions list` shows what there is, and `amux sessions show ID` why it cannot be gone on with.',
    })
  }
  return { session: await pickSession(found, question, context.output.width), prompt }
}

/** `amux sessions resume|fork`: a run of the session's own agent, in the session's own directory. */
export async function continueSession(
  how: 'session' | 'fork',
  words: readonly string[],
  flags: ContinueValues,
  context: CommandContext,
): Promise<number> {
  const verb = how === 'session' ? 'resume' : 'fork'
  const question = `Which session do you want to ${verb}?`
  const { session, prompt } = await sessionToContinue(words, flags, context, question, verb)
  const { agent, sessionId } = session
  const { sessions } = await context.client(flags)
  const [{ cwd }, check] = await Promise.all([
    sessions.get(agent, sessionId),
    sessions.resumable(agent, sessionId, verb),
  ])
  sessions.close()
  // In a directory that the user names, the one that is gone does not matter.
  if (!check.resumable && (check.lacks !== 'directory' || flags.cwd === undefined)) {
    throw new AgentMuxError(
      'CAPABILITY_ERROR',
      `${agent}:${sessionId} cannot be ${how === 'session' ? 'resumed' : 'forked'}: ${check.reason}`,
      {
        hint: `\`amux sessions handoff ${sessionId} --to AGENT\` goes on with it in another agent.`,
      },
    )
  }
  const isTyped = prompt.length === 0 && flags.prompt === undefined && process.stdin.isTTY === true
  const interactive = flags.interactive ?? (isTyped ? true : undefined)
  return runAgent(prompt, { ...flags, agent, [how]: sessionId, cwd: flags.cwd ?? cwd, interactive }, context)
}
