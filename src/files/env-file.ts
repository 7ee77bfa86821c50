import type { JsonRecord } from '../core/json.ts'

const ASSIGNMENT = /^\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=\s*(.*)$/

/** The variables of a `.env` file. A line that is commented out says nothing. */
export function parseEnvFile(text: string): JsonRecord {
  const variables: JsonRecord = {}
  for (const line of text.split(/\r?\n/)) {
    const [, name, rest = ''] = ASSIGNMENT.exec(line) ?? []
    if (name !== undefined) variables[name] = unquoted(rest.trim())
  }
  return variables
}

function unquoted(text: string): string {
  const quote = text[0]
  if (quote === '"' || quote === "'") {
    const end = text.indexOf(quote, 1)
    return end < 0 ? text.slice(1) : text.slice(1, end)
  }
  return text.startsWith('#') ? '' : text.replace(/\s+#.*$/, '')
}
