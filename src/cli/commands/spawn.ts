import { resolve } from 'node:path'
import type { DaemonRunOptions } from '../../contract/api/run-options.ts'
import { isAt } from '../../contract/options.ts'
import { allowedEnvironment } from '../../process/environment.ts'
import { defineCommand } from '../command.ts'
import { showChanges } from '../daemon/changes-view.ts'
import { connectDaemon } from '../daemon/connect.ts'
import { sessionLine } from '../daemon/session-text.ts'
import { exitCodeOfOutcome } from '../exit-codes.ts'
import { offerHooks } from '../hooks/offer.ts'
import { hookPlace } from '../hooks/places.ts'
import { readInput } from '../input.ts'
import { defaultAgent } from '../run/default-agent.ts'
import { type RunValues, SPAWN_FLAGS } from '../run/flags.ts'
import { inWordsOfFlags, runOptions } from '../run/options.ts'
import { namesAgent, splitPrompt } from '../run/prompt.ts'
import { noteUntrusted } from '../trust-text.ts'

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
    follow: {
      type: 'boolean',
      short: 'f',
      about: 'Show what it does until its turn is over; the exit code says how that ended',
    },
    key: { type: 'string', value: 'KEY', about: 'The same key again starts nothing again' },
    ...SPAWN_FLAGS,
  },
  examples: [
    'amux spawn claude "Fix the failing tests" --worktree',
    'amux spawn codex --name review "Review the last commit" --once -f',
    'amux spawn claude --terminal',
  ],
  async run({ args, flags }, context) {
    const mux = await context.client(flags)
    const fallback = defaultAgent(mux, flags)
    const { agent = fallback ?? '', ...said } = splitPrompt({
      words: args,
      agentFlag: flags.agent,
      promptFlag: flags.prompt,
      hasDefaultAgent: fallback !== undefined,
      isAgent: (name) => namesAgent(mux, name),
    })
    mux.adapters.capabilities(agent) // throws for an unknown one, with a suggestion
    const prompt = said.readsStdin
      ? [said.text, (await readInput('-')).toString('utf8')].join('\n\n').trim()
      : said.text
    const values: RunValues = flags
    const { cwd, ...options } = runOptions(values, process.env)
    const adapter = await mux.adapters.load(agent)
    const { manifest } = adapter
    const environment = allowedEnvironment(process.env, [...(manifest?.passEnv ?? []), ...(options.passEnv ?? [])])
    const client = await connectDaemon(flags, context)
    noteUntrusted(mux, cwd ?? resolve('.'), context.output)
    await offerHooks(adapter, hookPlace(flags, cwd), context.output)
    const { columns: cols, rows } = process.stdout
    const session = await client
      .call('spawn', {
        ...{ agent, prompt, environment, key: flags.key, name: flags.name, cwd: cwd ?? resolve('.') },
        mode: flags.terminal ? 'terminal' : 'headless',
        worktree: flags.worktree || flags.base ? { base: flags.base } : undefined,
        options: { ...forDaemon(options), keepOpen: !flags.once },
        size: flags.terminal && cols && rows ? { cols, rows } : undefined,
      })
      .catch((error: unknown) => {
        throw inWordsOfFlags(error)
      })
    const { output } = context
    if (!flags.follow) {
      output.result(session, sessionLine(session, output))
      return session.outcome ? exitCodeOfOutcome(session.outcome.kind) : 0
    }
    const { lastTurn, session: shown } = await showChanges({
      ...{ client, session, output, follow: true, turns: prompt ? 1 : undefined, debug: flags.debug ?? false },
    })
    // What it is called: the next command needs it.
    if (!output.json) output.note(`\n${output.paint(output.stderr)('dim', sessionLine(shown, output))}`)
    return lastTurn ? exitCodeOfOutcome(lastTurn.kind) : 0
  },
})

/** Only what the daemon takes; the rest has no flag here, or goes beside the options. */
function forDaemon(options: object): DaemonRunOptions {
  return Object.fromEntries(Object.entries(options).filter(([name]) => isAt('daemon', name)))
}
