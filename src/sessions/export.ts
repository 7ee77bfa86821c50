import type { ExportFormat } from '../contract/session-manager.ts'
import type { Session, SessionMessage, SessionToolCall } from '../contract/sessions.ts'
import { textOf } from '../core/json.ts'

/** A conversation as a document: JSON, a header and one message a line, or Markdown to read. */
export function exportSession({ raw: _raw, ...session }: Session, format: ExportFormat): string {
  switch (format) {
    case 'json':
      return `${JSON.stringify(session, null, 2)}\n`
    case 'jsonl':
      return jsonLines(session)
    case 'markdown':
      return markdown(session)
  }
}

function jsonLines({ messages, ...header }: Session): string {
  const lines = [
    { type: 'session', version: 1, ...header, messageCount: messages.length },
    ...messages.map((message) => ({ type: 'message', ...message })),
  ]
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('')
}

function markdown(session: Session): string {
  const { title, messages } = session
  const head = [
    `# ${title || session.unifiedId}`,
    '',
    ...metadata(session).map(([name, value]) => `- ${name}: ${value}`),
  ]
  return `${[...head, ...messages.flatMap(messageLines)].join('\n')}\n`
}

function metadata(session: Session): [string, string][] {
  const { agent, unifiedId, createdAt, updatedAt, model, cwd, forkedFrom, tokenUsage, cost, turnCount } = session
  const time = (at: number) => new Date(at).toISOString()
  const rows: [string, string | undefined][] = [
    ['agent', agent],
    ['session', `\`${unifiedId}\``],
    ['forked from', forkedFrom && `\`${forkedFrom}\``],
    ['model', model],
    ['directory', cwd && `\`${cwd}\``],
    ['from', time(createdAt)],
    ['to', time(updatedAt)],
    ['turns', String(turnCount)],
    ['tokens', tokenUsage && `${tokenUsage.inputTokens} in, ${tokenUsage.outputTokens} out`],
    ['cost', cost ? `$${cost.totalUsd}${cost.source === 'price-table' ? ' (list prices)' : ''}` : 'unpriced'],
  ]
  return rows.flatMap(([name, value]) => (value ? [[name, value]] : []))
}

const ROLES = { user: 'User', assistant: 'Assistant', system: 'System', tool: 'Tool' } as const

function messageLines({ role, content, thinking, toolCalls = [], toolResult }: SessionMessage): string[] {
  const blocks = [
    ...(thinking ? [`<details><summary>Thinking</summary>\n\n${thinking}\n\n</details>`] : []),
    ...(content ? [content] : []),
    ...toolCalls.map(callText),
    ...(toolResult ? [fenced(textOf(toolResult.output))] : []),
  ]
  return blocks.length === 0 ? [] : ['', `## ${ROLES[role]}`, ...blocks.flatMap((block) => ['', block])]
}

function callText({ toolName, input, output }: SessionToolCall): string {
  const asked = typeof input === 'string' ? fenced(input) : fenced(JSON.stringify(input, null, 2) ?? '', 'json')
  const result = output === undefined ? '' : `\n\n${fenced(textOf(output))}`
  return `**${toolName}**\n\n${asked}${result}`
}

/** A fence that is longer than any in the text. */
function fenced(text: string, language = ''): string {
  const longest = Math.max(2, ...(text.match(/`{3,}/g) ?? []).map((run) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${text.trimEnd()}\n${fence}`
}
