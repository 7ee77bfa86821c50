import type { RunHandle, RunResult } from '../../contract/run-handle.ts'
import type { RunOptions } from '../../contract/run-options.ts'
import type { AgentMuxClient } from '../../mux/client.ts'
import { findLocations, readSettings } from '../../mux/defaults.ts'
import { type CommandContext, usageError } from '../command.ts'
import { exitCodeOfOutcome } from '../exit-codes.ts'
import { readInput } from '../input.ts'
import { type Output, widthOf } from '../output.ts'
import { requireVersion } from '../require-version.ts'
import type { RunValues } from './flags.ts'
import { answeredByUs, askUser, denyAll } from './interactions.ts'
import { inWordsOfFlags, runOptions } from './options.ts'
import { namesAgent, splitPrompt } from './prompt.ts'
import { RunRenderer } from './render.ts'
import { repl } from './repl.ts'
import { watchSignals } from './signals.ts'
import { terminalQuestions } from './terminal-questions.ts'
import { answerOnly, eventLines, type RunView, resultOnly } from './view.ts'

/** A run as the command line asks for it, from its words to its exit code. `more` is what no flag can say. */
export async function runAgent(
  words: readonly string[],
  flags: RunValues,
  context: CommandContext,
  more: Partial<RunOptions> = {},
): Promise<number> {
  const { output } = context
  const options = { ...runOptions(flags, process.env), ...more }
  if (flags.stdio) return runForProgram(words, flags, context)
  const mux = await context.client(flags)
  const split = splitPrompt({
    words,
    agentFlag: flags.agent,
    promptFlag: flags.prompt,
    hasDefaultAgent: hasDefaultAgent(mux, flags),
    isAgent: (name) => namesAgent(mux, name),
  })
  if (split.agent !== undefined) {
    mux.adapters.capabilities(split.agent) // throws for an unknown one, with a suggestion
    await requireVersion(mux, split.agent, flags['config-dir'])
  }
  if (split.readsStdin && flags.interactive) throw usageError('-i reads prompts from stdin, so "-" cannot')
  const prompt = await readPrompt(split)
  if (prompt === undefined && !flags.interactive) {
    throw usageError('No prompt given', 'Write it after the agent, use "-" to read it from stdin, or -i to type it.')
  }

  const closed = new AbortController()
  output.onClosed(() => closed.abort())
  const start = (text: string | string[], more: Partial<RunOptions>): RunHandle => {
    try {
      return mux.run({ ...options, ...more, agent: split.agent, prompt: text, signal: closed.signal })
    } catch (error) {
      throw inWordsOfFlags(error)
    }
  }
  const scene = setScene(flags, output, split.agent ?? 'the agent')
  const result = flags.interactive
    ? await converse(prompt, start, scene, output)
    : await runOnce(start(prompt ?? '', scene.canAsk ? { onInputRequired: answeredByUs } : {}), scene, output)
  return result === null ? 0 : exitCodeOfOutcome(result.outcome.kind)
}

/** All of it comes by standard input, so that a program has nothing to quote and shows no secret to others. */
async function runForProgram(words: readonly string[], flags: RunValues, context: CommandContext): Promise<number> {
  if (words.length > 0 || flags.prompt !== undefined || flags.interactive) {
    throw usageError('--stdio takes the agent, the prompt and the options from standard input')
  }
  const mux = await context.client(flags)
  const closed = new AbortController()
  context.output.onClosed(() => closed.abort())
  const { runOverStdio } = await import('./stdio.ts')
  const { outcome } = await runOverStdio(context.output, {
    check: (agent) => requireVersion(mux, agent, flags['config-dir']),
    start: (options) => mux.run({ ...options, signal: closed.signal }),
  })
  return exitCodeOfOutcome(outcome.kind)
}

function hasDefaultAgent(mux: AgentMuxClient, flags: RunValues): boolean {
  if (process.env.AGENT_MUX_DEFAULT_AGENT) return true
  if (flags.profile !== undefined && mux.profiles.show(flags.profile).data.agent !== undefined) return true
  const given = { configDir: flags['config-dir'], projectConfigDir: flags['project-dir'] }
  const { projectDir, configDir } = findLocations(given, process.env, flags.cwd ?? process.cwd())
  return [projectDir, configDir].some((dir) => readSettings(`${dir}/config.json`).defaultAgent !== undefined)
}

async function readPrompt({
  text,
  readsStdin,
}: {
  text?: string
  readsStdin: boolean
}): Promise<string | string[] | undefined> {
  if (!readsStdin) return text
  const input = (await readInput('-')).toString('utf8')
  if (input.trim() === '') throw usageError('No prompt given: standard input was empty')
  return text === undefined ? input : [text, input]
}

/** Who sees what of a run, and who can be asked. */
interface Scene {
  canAsk: boolean
  /** Where questions and notes go: the terminal that shows the run. */
  terminal: NodeJS.WriteStream
  say(text: string): void
  createView(): RunView
}

function setScene(flags: RunValues, output: Output, agent: string): Scene {
  const isTerminal = process.stdout.isTTY === true
  const reads = process.stdin.isTTY === true
  const format = flags.json
    ? 'jsonl'
    : (flags['output-format'] ?? (isTerminal || reads || flags.quiet ? 'text' : 'jsonl'))
  const live = isTerminal && format === 'text' && !flags.quiet
  const terminal = live ? process.stdout : process.stderr
  const paint = output.paint(live ? output.stdout : output.stderr)
  const createView = (): RunView => {
    if (format === 'jsonl') return eventLines(output)
    if (format === 'json') return resultOnly(output)
    if (flags.quiet) return answerOnly(output)
    return new RunRenderer({
      live,
      log: (text) => (live ? output.write(text) : output.stderr.write(text)),
      answer: (text) => output.write(text),
      paint,
      width: widthOf(terminal),
      cwd: flags.cwd ?? process.cwd(),
      debug: flags.debug ?? false,
      agent,
    })
  }
  return { canAsk: reads && terminal.isTTY === true, terminal, say: (text) => terminal.write(`${text}\n`), createView }
}

async function runOnce(handle: RunHandle, scene: Scene, output: Output): Promise<RunResult> {
  const view = scene.createView()
  const signals = watchSignals(handle, (text) => {
    view.pause()
    if (!output.isClosed) output.note(`\n${text}`)
  })
  const answer = scene.canAsk
    ? askUser(handle, {
        ask: terminalQuestions(scene.terminal, signals.interrupt),
        pause: () => view.pause(),
        say: scene.say,
        paint: output.paint(scene.terminal),
      })
    : denyAll(handle)
  try {
    for await (const event of handle) {
      await view.event(event)
      await answer(event)
    }
    const result = await handle.result()
    await view.finish(result)
    return result
  } catch (error) {
    view.pause() // the error gets a line of its own
    throw error
  } finally {
    signals.stop()
    await handle.abort() // does nothing to a run that has ended; leaves no agent behind a view that failed
  }
}

async function converse(
  prompt: string | string[] | undefined,
  start: (text: string, more: Partial<RunOptions>) => RunHandle,
  scene: Scene,
  output: Output,
): Promise<RunResult | null> {
  let run: RunHandle | null = null
  try {
    return await repl({
      firstPrompt: Array.isArray(prompt) ? prompt.join('\n\n') : prompt,
      start: (text) => start(text, { keepOpen: true }),
      isTerminal: scene.canAsk,
      terminal: scene.terminal,
      createView: scene.createView,
      say: scene.say,
      paint: output.paint(scene.terminal),
      onRun(handle) {
        run = handle
      },
    })
  } finally {
    await abortIfAny(run)
  }
}

async function abortIfAny(run: RunHandle | null): Promise<void> {
  await run?.abort()
}
