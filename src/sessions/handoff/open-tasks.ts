import type { Session, SessionMessage, SessionToolCall } from '../../contract/sessions.ts'
import { asRecord, asRecords, asString, type JsonRecord, parseRecord, textOf } from '../../core/json.ts'
import { oneOf } from './one-of.ts'

/** Tools by which agents keep a list of what is to be done: the whole list, each time. */
const LIST_TOOL = /todo|update_plan|plan_update|tasklist|set_?plan/i
/** Claude's newer tools, which report one task each. */
const TASK_TOOL = /^Task(Create|Update)$/

const DONE = /^(completed|complete|done|finished|cancelled|canceled|deleted|abandoned|dropped)$/i
const TEXT = ['content', 'step', 'description', 'title', 'task', 'text', 'subject', 'label', 'name'] as const

interface Task {
  text: string
  status: string
}

function taskOf(item: JsonRecord): Task[] {
  const text = oneOf(item, TEXT)
  return text === undefined ? [] : [{ text, status: asString(item.status) ?? asString(item.state) ?? '' }]
}

/** The list is the first field that holds one; some write it as JSON in a text. */
function listOf(input: unknown): Task[] {
  const record = asRecord(input) ?? (typeof input === 'string' ? parseRecord(input) : null) ?? {}
  for (const value of Object.values(record)) {
    const items = asRecords(typeof value === 'string' && value.startsWith('[') ? parseList(value) : value)
    const tasks = items.flatMap((item) => [...taskOf(item), ...asRecords(item.tasks).flatMap(taskOf)])
    if (tasks.length > 0) return tasks
  }
  return typeof record.todos === 'string' ? checkboxes(record.todos) : []
}

function parseList(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined // a text that only begins like a list
  }
}

const CHECKBOX = /^\s*(?:[-*]|\d+\.)\s*\[(.)\]\s*(.+)$/gm

function checkboxes(text: string): Task[] {
  return [...text.matchAll(CHECKBOX)].map(([, mark, task = '']) => ({
    text: task.trim(),
    status: mark === 'x' || mark === 'X' ? 'done' : '',
  }))
}

const CREATED_ID = /#(\d+)/

/** What `TaskCreate` and `TaskUpdate` add up to. */
function singleTasks(calls: readonly SessionToolCall[]): Task[] {
  const tasks = new Map<string, Task>()
  for (const { toolName, input, output } of calls) {
    const record = asRecord(input) ?? {}
    const id = asString(record.taskId) ?? CREATED_ID.exec(textOf(output))?.[1] ?? String(tasks.size + 1)
    const known = tasks.get(id)
    const text = oneOf(record, TEXT) ?? known?.text
    const status = asString(record.status) ?? known?.status ?? ''
    if (text !== undefined && (toolName === 'TaskCreate' || known)) tasks.set(id, { text, status })
  }
  return [...tasks.values()]
}

/** What is not done yet, by the agent's own list in its last state. */
export function openTasks({ messages }: Session): string[] {
  const calls = messages.flatMap(({ toolCalls = [] }) => toolCalls)
  const lists = calls.filter(({ toolName }) => LIST_TOOL.test(toolName)).map(({ input }) => listOf(input))
  const latest = lists.findLast((list) => list.length > 0) ?? []
  const single = singleTasks(calls.filter(({ toolName }) => TASK_TOOL.test(toolName)))
  return [...latest, ...single]
    .filter(({ status }) => !DONE.test(status))
    .map(({ text, status }) => (/progress|doing|active/i.test(status) ? `${text} (in progress)` : text))
}

/** The user spoke last, or a tool was called and nothing came back. */
export function endsUnanswered({ messages }: Session): boolean {
  const last: SessionMessage | undefined = messages.findLast(
    ({ content, toolCalls }) => content !== '' || (toolCalls?.length ?? 0) > 0,
  )
  if (!last) return false
  return last.role === 'user' || last.toolCalls?.some(({ output }) => output === undefined) === true
}
