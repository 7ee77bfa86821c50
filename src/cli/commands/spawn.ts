import { resolve } from 'node:path'
import { allowedEnvironment } from '../../process/environment.ts'
import { defineCommand } from '../command.ts'
import { showChanges } from '../daemon/changes-view.ts'
import { connectDaemon } from '../daemon/connect.ts'
import { sessionLine } from '../daemon/session-text.ts'
import { exitCodeOfOutcome } from '../exit-codes.ts'
import { readInput } from '../input.ts'
import { RUN_FLAGS, type RunValues } from '../run/flags.ts'
import { inWordsOfFlags, runOptions } from '../run/options.ts'
import { namesAgent, splitPrompt } from '../run/prompt.ts'

const {
  // what a session that lives on without us has no use for
  interactive: _interactive,
  quiet: _quiet,
  stdio: _stdio,
  'output-format': _format,
  'output-schema': _schema,
  'non-interactive': _nonInteractive,
  'no-session': _noSession,
  'session-id': _sessionId,
  'thinking-override': _override,
  stream: _stream,
  'no-stream': _noStream,
  'run-id': _runId,
  ...SHARED_FLAGS
} = RUN_FLAGS

export const command = defineCommand({
  usage: 'spawn [agent] [prompt…]',
  about: `
Starts an agent in the background, under the daemon, which is started if need be. The session stays after the turn:
\`amux send\` goes on with it. --worktree gives it a git worktree on a branch of its own; --terminal runs the agent's
own screen, to \`amux attach\` to. Flags are those of \`amux run\`; --max-cost counts for the whole session.`,
  flags: {
    terminal: { type: 'boolean', short: 't', about: "The agent's own screen, in place of its headless form" },
    name: { type: 'string', value: 'NAME', about: 'A name to call the session by' },
    worktree: { type: 'boolean', short: 'w', about: 'Work in a git worktree of its own' },
    base: { type: 'string', value: 'COMMIT', about: 'Where the worktree starts (default HEAD)' },
    once: { type: 'boolean', about: 'End the agent after this turn' },
    follow: { type: 'boolean', short: 'f', about: 'Show what it does until it has ended' },
    key: { type: 'string', value: 'KEY', about: 'The same key again starts nothing again' },
    ...SHARED_FLAGS,
  },
  examples: [
    'amux spawn claude "Fix the failing tests" --worktree',
    'amux spawn codex --name review "Review the last commit" --once -f',
    'amux spawn claude --terminal',
  ],
  async run({ args, flags }, context) {
    const mux = await context.client(flags)
    const { agent = process.env.AGENT_MUX_DEFAULT_AGENT ?? '', ...said } = splitPrompt({
      words: args,
      agentFlag: flags.agent,
      promptFlag: flags.prompt,
      hasDefaultAgent: Boolean(process.env.AGENT_MUX_DEFAULT_AGENT),
      isAgent: (name) => namesAgent(mux, name),
    })
    mux.adapters.capabilities(agent) // throws for an unknown one, with a suggestion
    const prompt = said.readsStdin
      ? [said.text, (await readInput('-')).toString('utf8')].join('\n\n').trim()
      : said.text
    const values: RunValues = flags
    const { cwd, debug: _debug, ...options } = runOptions(values, process.env)
    const { manifest } = await mux.adapters.load(agent)
    const environment = allowedEnvironment(process.env, [...(manifest?.passEnv ?? []), ...(options.passEnv ?? [])])
    const client = await connectDaemon(flags, context)
    const { columns: cols, rows } = process.stdout
    const session = await client
      .call('spawn', {
        ...{ agent, prompt, environment, key: flags.key, name: flags.name, cwd: cwd ?? resolve('.') },
        mode: flags.terminal ? 'terminal' : 'headless',
        worktree: flags.worktree || flags.base ? { base: flags.base } : undefined,
        options: { ...spawnable(options), keepOpen: !flags.once },
        size: flags.terminal && cols && rows ? { cols, rows } : undefined,
      })
      .catch((error: unknown) => {
        throw inWordsOfFlags(error)
      })
    const { output } = context
    if (!flags.follow) {
      output.result(session, sessionLine(session))
      return session.outcome ? exitCodeOfOutcome(session.outcome.kind) : 0
    }
    const ended = await showChanges({ client, session, output, follow: true, debug: flags.debug ?? false })
    return ended.outcome ? exitCodeOfOutcome(ended.outcome.kind) : 0
  },
})

/** Only what the daemon takes; the rest has no flag here. */
function spawnable(options: Omit<ReturnType<typeof runOptions>, 'cwd' | 'debug'>) {
  const {
    outputFormat: _format,
    outputSchema: _schema,
    thinkingOverride: _override,
    stream: _stream,
    ...some
  } = options
  const { nonInteractive: _one, noSession: _none, newSessionId: _id, runId: _run, ...given } = some
  return given
}
