import type { ManagedSession } from '../../contract/api/managed-session.ts'
import type { PendingInteraction } from '../../contract/run-handle.ts'
import { type AskedCall, callLines, moreLine, shownCall } from '../approval-text.ts'
import type { Paint } from '../output.ts'
import { visibleLine } from '../text.ts'
import { callName } from './call-name.ts'

/** What an agent waits for: a request of its protocol, or the dialog on its screen. */
export interface Asked {
  /** Distinguishes it from the others of its session. */
  key: string
  type: PendingInteraction['type']
  /** Null: on its screen, where there is one at most. */
  request: PendingInteraction | null
  text: string
}

/** All that a session waits for, oldest first. */
export function askedBy({ mode, activity, pending, attention, launch }: ManagedSession): Asked[] {
  if (mode === 'headless') {
    return pending.map((request) => ({ key: request.id, type: request.type, request, text: request.description }))
  }
  const { state, since, why } = activity
  if (state !== 'blocked' && state !== 'waiting_input') return []
  const type = state === 'blocked' ? 'approval' : 'input'
  return [{ key: `${launch} ${state} ${since}`, type, request: null, text: attention?.message ?? why }]
}

/** What is asked, all lines of it, and the choices of a question. */
export function askedLines(asked: Asked, agent: string, paint: Paint, { isWhole = false, how = '' } = {}): string[] {
  const { type, text, request } = asked
  const detail = request?.detail
  // Of a dialog on its screen it is not always known what it is about: it may also ask for a theme.
  const isPermission = type === 'approval' && request !== null
  const what = isPermission ? `${agent} asks for a permission:` : `${agent} asks:`
  const call = callOf(asked)
  if (call !== null) {
    const { lines, more } = shownCall(call, paint, isWhole)
    const [only = '', ...rest] = lines
    const tool = visibleLine(call.toolName ?? '')
    if (rest.length === 0) return [`${paint('yellow', '?')} ${what} ${paint('bold', `${tool} ${only}`.trimEnd())}`]
    return [
      `${paint('yellow', '?')} ${what} ${paint('bold', tool)}`,
      ...lines.map((line) => `    ${line}`),
      ...(more > 0 ? [`    ${moreLine(more, how, paint)}`] : []),
    ]
  }
  const tool = detail?.kind === 'approval' && detail.toolName ? `${visibleLine(detail.toolName)} ` : ''
  const [context, options] = detail?.kind === 'input' ? [detail.context, detail.options ?? []] : [undefined, []]
  const [first = '', ...rest] = text.split('\n').map(visibleLine)
  return [
    `${paint('yellow', '?')} ${what} ${paint('bold', `${tool}${first}`)}`,
    ...rest.map((line) => `    ${line}`),
    ...(context ?? '')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => paint('dim', `    ${visibleLine(line)}`)),
    ...options.map((option, index) => `  ${index + 1}. ${visibleLine(option)}`),
  ]
}

/** What an approval is about, where its request says so. */
function callOf({ request, text }: Asked): AskedCall | null {
  const detail = request?.detail
  if (detail?.kind !== 'approval' || detail.access === undefined) return null
  return { toolName: detail.toolName ?? detail.action, detail: text, input: detail.input, ...detail.access }
}

/** All lines of it, where some of them are left out at first. */
export function hiddenLines(asked: Asked, paint: Paint): string[] {
  const call = callOf(asked)
  return call !== null && shownCall(call, paint).more > 0 ? callLines(call, paint) : []
}

/** The commands that answer it, as they are to be typed. */
export function answerCommands({ type, request }: Asked, session: ManagedSession, oldest: boolean): string[] {
  const name = callName(session)
  const which = request === null || oldest ? '' : ` ${request.id}`
  const decide = [`amux approve ${name}${which}`, `amux deny ${name}${which}`]
  if (request === null) return [...(type === 'approval' ? decide : []), `amux attach ${name}`]
  return type === 'approval' ? decide : [`amux send ${name} "…"`]
}

export function answerLine(commands: readonly string[], paint: Paint): string {
  return `  answer with: ${commands.map((command) => paint('cyan', command)).join('  or  ')}`
}
