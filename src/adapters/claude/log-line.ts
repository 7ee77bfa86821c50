import { MemberCursor } from '../kit/json-bytes.ts'

const name = (text: string) => Buffer.from(text)
const KEY = {
  type: name('type'),
  timestamp: name('timestamp'),
  isSidechain: name('isSidechain'),
  isMeta: name('isMeta'),
  cwd: name('cwd'),
  message: name('message'),
  requestId: name('requestId'),
  id: name('id'),
  model: name('model'),
  content: name('content'),
  usage: name('usage'),
  inputTokens: name('input_tokens'),
  outputTokens: name('output_tokens'),
  outputDetails: name('output_tokens_details'),
  thinkingTokens: name('thinking_tokens'),
  cacheRead: name('cache_read_input_tokens'),
  cacheCreation: name('cache_creation_input_tokens'),
  cacheKinds: name('cache_creation'),
  cacheHour: name('ephemeral_1h_input_tokens'),
  toolUseId: name('tool_use_id'),
}
const USER = name('"user"')
const ASSISTANT = name('"assistant"')
const COST_STATE = name('"cost-state"')
const API_REQUEST = name('"api-request')
const TOOL_RESULT = name('"tool_result"')
const SYNTHETIC = name('"<synthetic>"')
const CLOSE_BRACE = 0x7d
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d

/** What was found on one line; made once and filled again for every line. */
export class LogLine {
  kind: 'user' | 'assistant' | 'cost' | 'other' = 'other'
  at: number | undefined
  isSidechain = false
  isMeta = false
  cwd: string | undefined
  requestId = ''
  messageId = ''
  model: string | undefined
  hasUsage = false
  onlyToolResult = false
  input = 0
  output = 0
  thinking = 0
  cacheRead = 0
  cacheCreation = 0
  cacheHour = 0

  /** Of the line before: most lines tell the same again. */
  #last = { requestId: '', messageId: '', model: '', key: '' }

  readonly #top = new MemberCursor()
  readonly #message = new MemberCursor()
  readonly #usage = new MemberCursor()
  readonly #part = new MemberCursor()

  #reset(): void {
    this.kind = 'other'
    this.at = undefined
    this.isSidechain = false
    this.isMeta = false
    this.cwd = undefined
    this.requestId = ''
    this.messageId = ''
    this.model = undefined
    this.hasUsage = false
    this.onlyToolResult = false
    this.input = 0
    this.output = 0
    this.thinking = 0
    this.cacheRead = 0
    this.cacheCreation = 0
    this.cacheHour = 0
  }

  /**
   * False for a line that says nothing: the prompts as they were sent, and what is not JSON. The time comes after all
   * that is needed, and before what tools have given back for the second time, which is half of a file.
   */
  read(bytes: Buffer, start: number, end: number, needsCwd: boolean): boolean {
    const top = this.#top
    this.#reset()
    if (bytes[end - 1] !== CLOSE_BRACE || !top.open(bytes, start, end)) return false
    while (top.next()) {
      switch (top.keyLength) {
        case 3:
          if (needsCwd && top.isKey(KEY.cwd)) this.cwd = top.text()
          break
        case 4:
          if (top.isKey(KEY.type) && !this.#readType()) return false
          break
        case 6:
          if (top.isKey(KEY.isMeta)) this.isMeta = top.isTrue()
          break
        case 7:
          if (top.isKey(KEY.message)) this.#readMessage(bytes, end)
          break
        case 9:
          if (top.isKey(KEY.requestId)) this.requestId = top.textLike(this.#last.requestId) ?? ''
          else if (top.isKey(KEY.timestamp)) this.at = top.time()
          break
        case 11:
          if (top.isKey(KEY.isSidechain)) this.isSidechain = top.isTrue()
      }
      if (this.at !== undefined && !needsCwd && (this.kind === 'user' || this.requestId !== '')) return true
    }
    return top.isWhole
  }

  /** What distinguishes this request from every other. */
  key(): string {
    const { requestId, messageId } = this
    const last = this.#last
    if (messageId !== last.messageId || requestId !== last.requestId) {
      this.#last = { requestId, messageId, model: this.model ?? last.model, key: `${messageId}:${requestId}` }
    }
    return this.#last.key
  }

  #readType(): boolean {
    const top = this.#top
    if (top.isValue(USER)) this.kind = 'user'
    else if (top.isValue(ASSISTANT)) this.kind = 'assistant'
    else if (top.isValue(COST_STATE)) this.kind = 'cost'
    else if (top.isValue(API_REQUEST)) return false
    return true
  }

  #readMessage(bytes: Buffer, end: number): void {
    const message = this.#message
    if (!this.#top.enter(message)) return
    while (message.next()) {
      switch (message.keyLength) {
        case 2:
          if (message.isKey(KEY.id)) this.messageId = message.textLike(this.#last.messageId) ?? ''
          break
        case 5:
          if (message.isKey(KEY.usage)) this.#readUsage()
          else if (message.isKey(KEY.model) && !message.isValue(SYNTHETIC))
            this.model = message.textLike(this.#last.model)
          break
        case 7:
          if (message.isKey(KEY.content)) this.#readContent(bytes, end)
      }
    }
    this.#top.leave(message)
  }

  #readUsage(): void {
    const usage = this.#usage
    if (!this.#message.enter(usage)) return
    this.hasUsage = true
    while (usage.next()) {
      if (usage.isKey(KEY.inputTokens)) this.input = usage.count()
      else if (usage.isKey(KEY.outputTokens)) this.output = usage.count()
      else if (usage.isKey(KEY.cacheRead)) this.cacheRead = usage.count()
      else if (usage.isKey(KEY.cacheCreation)) this.cacheCreation = usage.count()
      else if (usage.isKey(KEY.outputDetails) && usage.enter(this.#part)) {
        while (this.#part.next()) if (this.#part.isKey(KEY.thinkingTokens)) this.thinking = this.#part.count()
        usage.leave(this.#part)
      } else if (usage.isKey(KEY.cacheKinds) && usage.enter(this.#part)) {
        while (this.#part.next()) if (this.#part.isKey(KEY.cacheHour)) this.cacheHour = this.#part.count()
        usage.leave(this.#part)
      }
    }
    this.#message.leave(usage)
  }

  /** Most lists have one block; whether it is the result of a tool is reported by its first members. */
  #readContent(bytes: Buffer, end: number): void {
    const at = this.#message.valueStart
    const block = this.#part
    if (bytes[at] !== OPEN_BRACKET || !block.open(bytes, at + 1, end)) return
    let isResult = false
    while (block.next()) isResult ||= block.isKey(KEY.toolUseId) || block.isValue(TOOL_RESULT)
    if (bytes[block.after] !== CLOSE_BRACKET) return
    this.onlyToolResult = isResult
    this.#message.continueAt(block.after + 1)
  }
}
