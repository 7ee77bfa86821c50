import type { RunHandle, RunResult } from '../../contract/run-handle.ts'
import type { OutputFormat, RunOptions } from '../../contract/run-options.ts'
import { type CommandContext, usageError } from '../command.ts'
import { exitCodeOfRun } from '../exit-codes.ts'
import { readInput } from '../input.ts'
import { type Output, widthOf } from '../output.ts'
import { requireVersion } from '../require-version.ts'
import { defaultAgent } from './default-agent.ts'
import type { RunValues } from './flags.ts'
import { answeredByUs, askUser, denyAll } from './interactions.ts'
import { inWordsOfFlags, runOptions } from './options.ts'
import { namesAgent, splitPrompt } from './prompt.ts'
import { quietKeyboard } from './quiet-keyboard.ts'
import { RunRenderer } from './render.ts'
import { repl } from './repl.ts'
import { watchSignals } from './signals.ts'
import { terminalQuestions } from './terminal-questions.ts'
import { answerOnly, eventLines, type RunView, resultOnly } from './view.ts'

/** A run as the command line asks for it, from its words to its exit code. `more` is what no flag can say. */
export async function runAgent(...run: Parameters<typeof runWithFlags>): Promise<number> {
  try {
    return await runWithFlags(...run)
  } catch (error) {
    throw inWordsOfFlags(error)
  }
}

async function runWithFlags(
  words: readonly string[],
  flags: RunValues,
  context: CommandContext,
  more: Partial<RunOptions> = {},
): Promise<number> {
  const { output } = context
  // How it is printed is ours alone: every agent can.
  const { outputFormat, ...options } = { ...runOptions(flags, process.env), ...more }
  if (flags.stdio) return runForProgram(words, flags, context)
  const mux = await context.client(flags)
  const split = splitPrompt({
    words,
    agentFlag: flags.agent,
    promptFlag: flags.prompt,
    hasDefaultAgent: defaultAgent(mux, flags) !== undefined,
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
  const start = (text: string | string[], more: Partial<RunOptions>): RunHandle =>
    mux.run({ ...options, ...more, outputFormat: 'text', agent: split.agent, prompt: text, signal: closed.signal })
  const format = flags.json ? 'jsonl' : (outputFormat ?? mux.defaults(options).outputFormat ?? 'text')
  const scene = setScene(flags, format, output, split.agent ?? 'the agent')
  const result = flags.interactive
    ? await converse(prompt, start, scene, output)
    : await runOnce(start(prompt ?? '', scene.canAsk ? { onInputRequired: answeredByUs } : {}), scene, output)
  return result === null ? 0 : exitCodeOfRun(result)
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
  const result = await runOverStdio(context.output, {
    check: (agent) => requireVersion(mux, agent, flags['config-dir']),
    start: (options) => mux.run({ ...options, signal: closed.signal }),
  })
  return exitCodeOfRun(result)
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
  /** A terminal that shows the work as it happens. */
  isLive: boolean
  canAsk: boolean
  /** Where questions and notes go: the terminal that shows the run. */
  terminal: NodeJS.WriteStream
  say(text: string): void
  createView(): RunView
}

function setScene(flags: RunValues, format: OutputFormat, output: Output, agent: string): Scene {
  const isTerminal = process.stdout.isTTY === true
  const reads = process.stdin.isTTY === true
  const live = isTerminal && format === 'text' && !flags.quiet
  const terminal = live ? process.stdout : process.stderr
  const shown = live ? output.stdout : output.stderr
  const paint = output.paint(shown)
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
      // It would be drawn over what is typed, or cannot be taken back.
      noStatus: flags.interactive || process.env.TERM === 'dumb',
    })
  }
  const canAsk = reads && terminal.isTTY === true
  return { isLive: live, canAsk, terminal, say: (text) => shown.write(`${text}\n`), createView }
}

async function runOnce(handle: RunHandle, scene: Scene, output: Output): Promise<RunResult> {
  const view = scene.createView()
  const signals = watchSignals(handle, (text) => {
    view.pause()
    if (!output.isClosed) output.note(`\n${text}`)
  })
  const keyboard = scene.isLive && scene.canAsk ? quietKeyboard(process.stdin, signals.interrupt) : null
  const ask = terminalQuestions(scene.terminal, signals.interrupt)
  const answer = scene.canAsk
    ? askUser(handle, {
        ask: keyboard?.whileAsking(ask) ?? ask,
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
    keyboard?.stop()
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
