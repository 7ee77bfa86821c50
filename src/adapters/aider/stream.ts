import type { Effect } from '../../contract/dialogue.ts'
import { NO_EFFECTS } from '../../core/effects.ts'
import { retrySign } from '../kit/retry-log.ts'
import type { DialogueState } from './state.ts'
import { commandEnd, commandStart, edited, refused } from './tools.ts'

const MODEL = /^(?:Main model|Model): (.+) with [\w-]+ edit format/
/** The last line of its introduction. */
const BEGUN = /^Repo-map: /
/** What may still follow the introduction. */
const ASIDE =
  /^(?:Added .+ to the chat|Restored previous conversation history\.|Note: in-chat filenames are always|(?:Cur|Git) working dir: )/
/** A request was answered. */
const ANSWERED = /^Tokens: \S+ sent, .*\b\S+ received\./
const RETRYING = /^Retrying in ([\d.]+) seconds\.\.\.$/
/** How LiteLLM begins the words of a failure. */
export const FAILED = /^litellm\.\w+: /
/** Eight tries after the first, then it gives up. */
const MAX_RETRIES = 8
/** A question is not followed by a new line when nobody types the answer. */
const QUESTION = /^.*?\? \(Y\)es\/\(N\)o[^[]*\[\w+\]: /
const EDITED = /^Applied edit to (.+)$/
const NOT_EDITED = /^(?:Skipping edits to (.+)|Did not apply edit to (.+) \(--dry-run\))$/
const RUNNING = /^Running (.+)$/
const TOKEN_LIMIT = /^Model .+ has hit a token limit!$/
const THINKING = /^-+\n► \*\*THINKING\*\*\n([\s\S]*?)\n-+\n► \*\*ANSWER\*\*\n/

/** One line of what it prints. All of it is text: what a line means depends on what was printed before. */
export function readLine(state: DialogueState, line: string): Effect[] {
  if (!state.hasBegun) return introduction(state, line)
  const found = ANSWERED.test(line) ? answered(state) : whileWorking(state, line)
  if (found) return found
  state.lines.push(line)
  return NO_EFFECTS
}

function introduction(state: DialogueState, line: string): Effect[] {
  const [, model] = MODEL.exec(line) ?? []
  if (BEGUN.test(line)) {
    state.hasBegun = true
    state.lines = []
  } else state.lines.push(line)
  return model === undefined ? NO_EFFECTS : [{ model: askedName(model, state.options.model) }]
}

/** With another endpoint the name begins with its provider. */
function askedName(model: string, asked: string | undefined): string {
  return asked !== undefined && model.endsWith(`/${asked}`) ? asked : model
}

/** What was printed up to now is the answer, with the thinking before it. */
function answered(state: DialogueState): Effect[] {
  const ended = commandEnd(state)
  const said = state.lines
    .filter((line) => !ASIDE.test(line))
    .join('\n')
    .trim()
  const [block = '', thinking = ''] = THINKING.exec(said) ?? []
  const text = said.slice(block.length).trim()
  state.lines = []
  state.isAfterAnswer = true
  if (text === '') return ended
  const delta = state.hasAnswer ? `\n\n${text}` : text
  state.hasAnswer = true
  return [
    ...ended,
    ...(thinking.trim() === '' ? [] : [{ emit: { type: 'thinking_delta', delta: thinking.trim() } } as const]),
    { emit: { type: 'text_delta', delta } },
  ]
}

/** Null: the line may be part of an answer. */
function whileWorking(state: DialogueState, line: string): Effect[] | null {
  const [, seconds] = RETRYING.exec(line) ?? []
  if (seconds !== undefined && state.lines.some((one) => FAILED.test(one))) return retrying(state, Number(seconds))
  if (TOKEN_LIMIT.test(line)) state.tokenLimit = true
  return state.isAfterAnswer ? afterAnswer(state, line) : null
}

function retrying(state: DialogueState, seconds: number): Effect[] {
  const reason = state.lines
    .slice(state.lines.findIndex((line) => FAILED.test(line)))
    .join(' ')
    .trim()
  state.lines = []
  state.retries += 1
  return retrySign({ attempt: state.retries, maxAttempts: MAX_RETRIES, reason, delayMs: seconds * 1000 })
}

/** What it does with an answer is reported after it. */
function afterAnswer(state: DialogueState, line: string): Effect[] | null {
  const words = line.replace(QUESTION, '')
  const wasAsked = words !== line
  const ended = wasAsked || RUNNING.test(words) ? commandEnd(state) : []
  const found = deed(state, words)
  if (found) return [...ended, ...found]
  if (wasAsked) return ended
  if (!state.command) return null
  state.command.output.push(line)
  return NO_EFFECTS
}

function deed(state: DialogueState, words: string): Effect[] | null {
  const [, path] = EDITED.exec(words) ?? []
  if (path !== undefined) return edited(state, path)
  const [, skipped, dry] = NOT_EDITED.exec(words) ?? []
  const refusedPath = skipped ?? dry
  if (refusedPath !== undefined) return refused(state, refusedPath, words)
  const [, command] = RUNNING.exec(words) ?? []
  return command === undefined ? null : commandStart(state, command)
}
