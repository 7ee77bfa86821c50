import { asArray, asRecord, asRecords, asString, type JsonRecord, textOf } from '../../core/json.ts'

/** What codex itself writes in the user's name; newer files mark it, older ones only begin like this. */
const CONTEXT = /^\s*(?:<(?:environment_context|user_instructions|turn_aborted|permissions|skill)|# AGENTS\.md instr)/

/** The user's own words among the parts of a message. */
export function userText(payload: JsonRecord): string {
  const kinds = asArray(asRecord(payload.internal_chat_message_metadata_passthrough)?.content_item_kinds)
  const own = asRecords(payload.content).filter((part, index) => {
    const kind = asString(kinds[index])
    return kind === undefined || kind === 'unknown' ? !CONTEXT.test(textOf(part.text)) : kind.startsWith('user.')
  })
  return own.flatMap((part) => asString(part.text) ?? []).join('\n')
}
