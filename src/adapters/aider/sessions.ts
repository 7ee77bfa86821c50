import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import type { SessionFiles } from '../../contract/session-store.ts'
import type { SessionMessage } from '../../contract/sessions.ts'
import type { TokenUsage } from '../../contract/usage.ts'
import { asNumber, asRecord, type JsonRecord } from '../../core/json.ts'
import { grossCounts, withTotal } from '../../core/usage.ts'
import { forEachRecord, SessionTimes, sessionOf } from '../kit/session.ts'

const SESSION_FILE = /^[\w-]+\.jsonl$/
const MODEL = /^> (?:Main model|Model): (.+) with [\w-]+ edit format/

/** A request that failed for its length is reported with an estimate of what was sent, and nothing received. */
function usageOf({ prompt_tokens: input, completion_tokens: output }: JsonRecord): TokenUsage | undefined {
  return asNumber(output) ? withTotal(grossCounts({ input, output })) : undefined
}

/** Headings of the fourth level are the user, quotes the CLI itself, all else the model: as the CLI reads it (0.86). */
class WordsReader {
  readonly messages: SessionMessage[] = []
  readonly #counts: (TokenUsage | undefined)[]
  #model: string | undefined
  #last: SessionMessage | null = null

  constructor(counts: readonly (TokenUsage | undefined)[]) {
    this.#counts = [...counts]
  }

  line(line: string): void {
    if (line.startsWith('# aider chat started at ')) this.#last = null
    else if (line.startsWith('> ')) this.#own(line)
    else if (line.startsWith('#### ')) this.#add('user', line.slice(5).trimEnd())
    else if (line.trim() !== '' || this.#last?.role === 'assistant') this.#add('assistant', line)
  }

  end(): SessionMessage[] {
    return this.messages.map((message) => ({ ...message, content: message.content.trim() }))
  }

  #own(line: string): void {
    this.#model = MODEL.exec(line)?.[1] ?? this.#model
    if (line.startsWith('> Tokens: ')) {
      const answer = this.messages.findLast(({ role }) => role === 'assistant')
      const tokenUsage = this.#counts.shift()
      if (answer && tokenUsage) Object.assign(answer, { tokenUsage })
    }
    this.#last = null
  }

  #add(role: 'user' | 'assistant', text: string): void {
    if (this.#last?.role === role) this.#last.content += `\n${text}`
    else {
      this.#last = { role, content: text, model: role === 'assistant' ? this.#model : undefined }
      this.messages.push(this.#last)
    }
  }
}

/** `<id>.jsonl` has the counts of the requests, and `<id>.md` beside it the words. The CLI writes to the words first. */
export const sessions: SessionFiles = {
  isSession: (relativePath) => SESSION_FILE.test(relativePath),
  async read(lines, filePath) {
    const times = new SessionTimes()
    const counts: (TokenUsage | undefined)[] = []
    await forEachRecord(lines, ({ event, properties, time }) => {
      times.see((asNumber(time) ?? 0) * 1000)
      if (event === 'message_send') counts.push(usageOf(asRecord(properties) ?? {}))
    })
    const reader = new WordsReader(counts)
    const words = await readFile(filePath.replace(/\.jsonl$/, '.md'), 'utf8').catch(() => '')
    for (const line of words.split('\n')) reader.line(line)
    const { createdAt, updatedAt } = times
    return sessionOf('aider', basename(filePath, '.jsonl'), { createdAt, updatedAt, messages: reader.end() })
  },
}
