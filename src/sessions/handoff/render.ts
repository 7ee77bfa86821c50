import type { Handoff } from '../../contract/session-manager.ts'
import type { Session } from '../../contract/sessions.ts'
import { HANDOFF_MARK, sessionTitle } from '../../core/session-title.ts'
import { redact } from '../../secrets/redact.ts'
import { estimateTokens, shorten } from '../token-estimate.ts'
import { decisionsIn, requestsIn } from './decisions.ts'
import { filesTouched } from './files-touched.ts'
import { endsUnanswered, openTasks } from './open-tasks.ts'
import { type RenderedTurn, renderTurn, type Turn, type TurnLimits, turnsOf } from './turns.ts'

export interface HandoffRequest {
  session: Session
  /** The name of the agent that the session is of. */
  from: string
  /** What the next agent is to do. Without it: to go on. */
  prompt?: string
  /** The most tokens, by our estimate, that the whole text may have. */
  budget: number
}

type RenderedHandoff = Pick<Handoff, 'text' | 'tokens' | 'leftOut'>

/** Below this a hand-off says nothing worth having. */
export const SMALLEST_BUDGET = 500

/** Of the budget, at most, for what is said of the whole session; the rest is for its last turns. */
const SUMMARY_SHARE = 0.4

const EVERYTHING = Number.POSITIVE_INFINITY
/** From all of it to the bones; the first that fits. */
const LIMITS: readonly TurnLimits[] = [
  { message: EVERYTHING, toolInput: EVERYTHING, toolOutput: EVERYTHING },
  { message: EVERYTHING, toolInput: 4000, toolOutput: 4000 },
  { message: EVERYTHING, toolInput: 800, toolOutput: 800 },
  { message: EVERYTHING, toolInput: 200, toolOutput: 200 },
]

/** A conversation written down for another agent: what counts of it as a whole, and its last turns in full. */
export function renderHandoff({ session, from, prompt, budget }: HandoffRequest): RenderedHandoff {
  const task = prompt?.trim() || `Go on with: ${sessionTitle(session.title)}`
  const request = `## Your task now\n\n${task}`
  const introduction = introduce(session, from, task)
  const fixed = estimateTokens(introduction + request) + 60
  const turns = turnsOf(session.messages)
  const room = Math.max(0, budget - fixed)
  const last = lastTurns(turns, Math.floor(room * (1 - SUMMARY_SHARE)), room)
  const early = turns.slice(0, turns.length - last.length)
  const used = last.reduce((sum, { text }) => sum + estimateTokens(text), 0)
  const leftOut = {
    turns: early.length,
    messages: early.reduce((sum, turn) => sum + turn.length, 0),
    shortened: last.reduce((sum, { shortened }) => sum + shortened, 0),
  }
  const text = [
    introduction,
    ...summary(session, early, room - used),
    last.length === turns.length ? '## The conversation' : `## The last ${last.length} of ${turns.length} turns`,
    ...last.map((turn) => turn.text),
    omissions(session, leftOut),
  ].filter((part) => part !== '')
  // What one provider has seen is not the other's to know. The user's own words of now stay as they are.
  const whole = `${redact(text.join('\n\n'))}\n\n${request}`
  return { text: whole, tokens: estimateTokens(whole), leftOut }
}

/** The task comes first, because agents name a session by its first words. */
function introduce({ unifiedId, cwd, createdAt, updatedAt }: Session, from: string, task: string): string {
  const day = (at: number) => new Date(at).toISOString().slice(0, 16).replace('T', ' ')
  const place = cwd === undefined ? '' : ` in ${cwd}`
  const title = task.replace(/\s+/g, ' ')
  return [
    title.length > 100 ? `${title.slice(0, 99)}…` : title,
    '',
    `${HANDOFF_MARK} ${from}${place}, ${day(createdAt)} to ${day(updatedAt)} UTC (session ${unifiedId}).`,
    'Below is the record of it. The files are as they were left then, unless somebody changed them since: look before you rely on them.',
    'Tools named in the record are those of the other agent; use your own.',
  ].join('\n')
}

/** The newest that fit, oldest first. The very last is always there, cut if need be. */
function lastTurns(turns: readonly Turn[], room: number, all: number): RenderedTurn[] {
  const whole = turns.map((turn) => render(turn, 0))
  if (whole.reduce((sum, { text }) => sum + estimateTokens(text), 0) <= all) return whole
  const chosen: RenderedTurn[] = []
  let left = room
  for (const turn of turns.toReversed()) {
    const isNewest = chosen.length === 0
    const fitting = fitTurn(turn, left, isNewest ? LIMITS.length : LIMITS.length - 1)
    if (!fitting && !isNewest) break
    const rendered = fitting ?? cutTurn(turn, left)
    chosen.unshift(rendered)
    left -= estimateTokens(rendered.text)
  }
  return chosen
}

function render(turn: Turn, level: number): RenderedTurn {
  const limits = LIMITS[level]
  return limits ? renderTurn(turn, limits) : { text: '', shortened: 0 }
}

function fitTurn(turn: Turn, room: number, levels: number): RenderedTurn | null {
  for (let level = 0; level < levels; level++) {
    const rendered = render(turn, level)
    if (estimateTokens(rendered.text) <= room) return rendered
  }
  return null
}

/** Even the bones are too much: the beginning and the end of them. */
function cutTurn(turn: Turn, room: number): RenderedTurn {
  const { text, shortened } = render(turn, LIMITS.length - 1)
  let limit = room * 3
  let cut = shorten(text, limit)
  while (estimateTokens(cut) > room && limit > 100) {
    limit = Math.floor(limit * 0.7)
    cut = shorten(text, limit)
  }
  return { text: cut, shortened: shortened + 1 }
}

/** What is to be known of the turns that are not shown, and of all. */
function summary(session: Session, early: readonly Turn[], room: number): string[] {
  const [goal, ...requests] = requestsIn(early)
  const files = [...filesTouched(session)].reverse()
  const changed = files.filter(([, change]) => change !== 'read').map(([path, change]) => `${path} (${change})`)
  const read = files.filter(([, change]) => change === 'read').map(([path]) => path)
  const tasks = openTasks(session)
  if (endsUnanswered(session)) tasks.unshift('The last turn was not finished: nothing came after what is shown last.')
  const sections: readonly (readonly [string, readonly string[]])[] = [
    ['What it began with', goal === undefined ? [] : [goal]],
    ['Open tasks', tasks],
    ['Files changed', changed],
    ['What the user said after that, in order', requests],
    ['Decisions and findings', decisionsIn(early).reverse()],
    ['Files read', read],
  ]
  let left = room
  return sections.map(([title, lines]) => {
    const section = listSection(title, lines, Math.floor(left * 0.6))
    left -= estimateTokens(section)
    return section
  })
}

/** As many lines as there is room for, and how many there were more. Empty when there is nothing to say. */
function listSection(title: string, lines: readonly string[], room: number): string {
  const shown: string[] = []
  let left = room - estimateTokens(title) - 10
  for (const line of lines) {
    left -= estimateTokens(line) + 2
    if (left < 0) break
    shown.push(`- ${line}`)
  }
  if (shown.length === 0) return ''
  const rest = lines.length - shown.length
  return [`## ${title}`, '', ...shown, ...(rest > 0 ? [`- … and ${rest} more`] : [])].join('\n')
}

function omissions({ unifiedId }: Session, { turns, messages, shortened }: Handoff['leftOut']): string {
  const parts = [
    ...(turns > 0 ? [`the ${turns} turns before these, ${messages} messages, but for the notes above`] : []),
    ...(shortened > 0 ? [`parts of ${shortened} long texts, marked where they are missing`] : []),
  ]
  if (parts.length === 0) return ''
  return `Left out: ${parts.join('; ')}. All of it: \`amux sessions show ${unifiedId}\`.`
}
