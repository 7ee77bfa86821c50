/**
 * Nearly every line of a streamed run is a piece of text in exactly this form, as Claude Code 2.1 and Qwen write it.
 * Reading it by its form takes a fifth of the time of `JSON.parse`; every other line, however little it differs, is
 * parsed.
 */
const TEXT_DELTA =
  /^\{"type":"stream_event","event":\{"type":"content_block_delta","index":\d{1,9},"delta":\{"type":"text_delta","text":"((?:[^"\\\p{Cc}]|\\["\\/bfnrt])*)"\}\},"session_id":"[^"\\\p{Cc}]*","parent_tool_use_id":null,"uuid":"[^"\\\p{Cc}]*"(?:,"api_message_id":"[^"\\\p{Cc}]*")?\}$/u

/** Pieces are short. A very long line would cost the pattern more memory than it may have. */
const MAX_LENGTH = 16_384

/** The text of such a line; null when it is any other. */
export function textDeltaLine(line: string): string | null {
  const text = line.length > MAX_LENGTH ? undefined : TEXT_DELTA.exec(line)?.[1]
  if (text === undefined) return null
  return text.includes('\\') ? JSON.parse(`"${text}"`) : text
}
