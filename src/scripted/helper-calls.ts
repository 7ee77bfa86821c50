import type { Conversation } from './conversation.ts'
import { textOf } from './json.ts'

/**
 * Agents ask the model small things on the side: a session title, a quota probe, a summary of the history, who speaks
 * next, whether they are stuck. Playing the scenario there would spoil it, and a tool call there could not be answered.
 */
const helperPrompts = [
  /(generate|create|write|produce|output|come up with)[^.\n]{0,60}\btitle\b/i,
  /\btitle generator\b/i,
  /isNewTopic|new conversation topic/i,
  /(create|write|provide|generate)[^.\n]{0,40}\bsummary of (the|this|our) (conversation|chat|session)/i,
  /summari[sz]e (the|this|our|user's) [^.\n]{0,30}(conversation|session|chat|intent)/i,
  /\bnext_speaker\b/i,
  /assistant is stuck in an unproductive loop/i, // the Gemini CLI, after thirty requests of one prompt
  /You are a specialized Task Routing AI/i,
  /anchored (context )?summari[sz]ation/i,
  /generates concise, one-line Git commit messages/i, // aider, for each of its edits
]

const head = (text: string): string => text.slice(0, 2000)

/** The tool by which grok's model hands in the title: the only one that such a request has. */
const isTitleTool = (tools: Conversation['tools']): boolean => tools.length === 1 && tools[0]?.name === 'session_title'

/** Codex asks for the title of a thread in a request with all tools; only the schema of the answer shows it. */
const isTitleSchema = (schema: Conversation['outputSchema']): boolean =>
  Object.keys(schema?.properties ?? {}).join() === 'title'

/** What Qwen asks in the whole conversation, as if the user did: what the user might say next. */
const isSuggestion = (entries: Conversation['entries']): boolean => {
  const last = entries.at(-1)
  return last?.role === 'user' && /Reply with ONLY the suggestion, no quotes/.test(last.text)
}

/**
 * Other requests with tools are not helpers, and those without only when their prompt or token limit gives them away.
 */
export const isHelperCall = (conversation: Conversation): boolean => {
  if (isTitleTool(conversation.tools) || isTitleSchema(conversation.outputSchema)) return true
  if (isSuggestion(conversation.entries)) return true
  if (conversation.tools.length > 0) return false
  if (conversation.maxTokens === 1) return true
  const users = conversation.entries.flatMap((entry) => (entry.role === 'user' ? [entry.text] : []))
  const prompts = [head(conversation.system), head(textOf(users.slice(0, 1))), head(textOf(users.slice(-1)))]
  return helperPrompts.some((pattern) => prompts.some((prompt) => pattern.test(prompt)))
}
