import { PLAIN_NAME, PLAIN_STRING, textOfForm } from '../../kit/text-line.ts'

/** A piece of text as Claude Code 2.1 writes it; every other line, however little it differs, is parsed. */
const TEXT_DELTA = new RegExp(
  String.raw`^\{"type":"stream_event","event":\{"type":"content_block_delta","index":\d{1,9},"delta":\{"type":"text_delta","text":"(${PLAIN_STRING})"\}\},"session_id":"${PLAIN_NAME}","parent_tool_use_id":null,"uuid":"${PLAIN_NAME}"(?:,"api_message_id":"${PLAIN_NAME}")?\}$`,
  'u',
)

/** The text of such a line; null when it is any other. */
export function textDeltaLine(line: string): string | null {
  return textOfForm(TEXT_DELTA, line)
}
