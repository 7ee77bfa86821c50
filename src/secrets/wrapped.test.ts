import { describe, expect, test } from 'vitest'
import type { AgentEvent } from '../contract/events.ts'
import { createDeltaGuard, createRedactor, createTerminalGuard } from './redaction.ts'

const CORE = 'qZ7eYpf81LmXw29RtVbN'
const JWT = `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTYifQ.${CORE}${CORE}`
const SECRETS = [
  `postgres://app:${CORE}@db.example.com/main`,
  `Authorization: Bearer ${CORE}`,
  `Cookie: session=${CORE}`,
  `DATABASE_PASSWORD=${CORE}`,
  JWT,
]
const WIDTH = 64

/** The secret wherever the end of a line can part it. */
function wrappedAnywhere(secret: string, newline: string): string[] {
  return Array.from({ length: WIDTH / 2 }, (_, index) => {
    const length = 2 * index
    const text = `${'lorem ipsum dolor '.repeat(4).slice(0, length)} ${secret} and more.`
    return text.match(new RegExp(`.{1,${WIDTH}}`, 'g'))?.join(newline) ?? ''
  })
}

function leaks(shown: string): boolean {
  const joined = shown.replace(/\s+/g, '')
  return joined.includes(CORE.slice(0, 12)) || joined.includes(CORE.slice(-12))
}

function inPieces(text: string): string {
  const guard = createDeltaGuard({}, {})
  const base = { runId: 'r', agent: 'a', timestamp: 1, accumulated: '' }
  const events = (text.match(/[\s\S]{1,3}/g) ?? []).flatMap((delta, index) => {
    const event: AgentEvent = { ...base, type: 'text_delta', delta }
    return guard.pass(event, index + 1)
  })
  return [...events, ...guard.release()].map(({ event }) => ('delta' in event ? event.delta : '')).join('')
}

function onTerminal(text: string): string {
  const guard = createTerminalGuard({}, {})
  return (text.match(/[\s\S]{1,7}/g) ?? []).map((piece) => guard.take(piece)).join('') + guard.release()
}

describe('a secret that the end of a line parts anywhere', () => {
  test.each(SECRETS)('%s', (secret) => {
    const redact = createRedactor({}, {})
    for (const text of wrappedAnywhere(secret, '\n')) {
      expect(leaks(redact(text)), text).toBe(false)
      expect(leaks(inPieces(text)), text).toBe(false)
    }
    for (const text of [...wrappedAnywhere(secret, '\r\n'), ...wrappedAnywhere(secret, '\x1b[K\x1b[1B\x1b[1G')]) {
      expect(leaks(onTerminal(text)), text).toBe(false)
    }
  })

  test('base64 in lines is masked on a terminal', () => {
    const lines =
      Buffer.from(`Some words before it. ${JWT}`)
        .toString('base64')
        .match(/.{1,64}/g) ?? []
    const encoded = Buffer.from(CORE.slice(0, 12)).toString('base64').slice(0, -1)
    expect(onTerminal(`$ cat\r\n${lines.join('\r\n')}\r\n`).replace(/\s+/g, '')).not.toContain(encoded)
    expect(onTerminal(`$ cat\r\n${lines.join('\r\n')}\r\n`)).toContain('***')
  })
})

test('a key in a narrow column is masked in JSON as it is in plain text', () => {
  const redact = createRedactor({}, {})
  const column = `ghp_${CORE}${CORE.slice(0, 16)}`.match(/.{1,20}/g)?.join('\n') ?? ''
  const written = [column, JSON.stringify({ t: column }), JSON.stringify(JSON.stringify({ output: `x\n${column}` }))]
  const shown = (text: string) => text.replace(/(?:\\+[nrt]|\s|\\)+/g, '')
  for (const text of written) {
    expect(shown(text), text).toContain(CORE)
    expect(shown(redact(text)), text).not.toContain(CORE.slice(0, 12))
    expect(shown(inPieces(text)), text).not.toContain(CORE.slice(0, 12))
  }
})
