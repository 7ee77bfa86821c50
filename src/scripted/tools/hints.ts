import type { Hint, JsonSchema } from '../schema.ts'
import type { ToolIntent } from '../types.ts'

type Values = Record<string, unknown>

const isArray = (schema: JsonSchema): boolean => schema.type === 'array' || schema.type === 'ARRAY' || !!schema.items

/** A command line for a property that wants a list: an argv for `command`, a list of lines for `commands`. */
const commandFor = (key: string, schema: JsonSchema, command: string): unknown => {
  if (!isArray(schema)) return command
  return key === 'commands' ? [command] : ['bash', '-lc', command]
}

const shellValues = (intent: Extract<ToolIntent, { intent: 'shell' }>): Values => ({
  ...Object.fromEntries(
    ['command', 'cmd', 'commands', 'script'].map((key) => [
      key,
      (schema: JsonSchema) => commandFor(key, schema, intent.command),
    ]),
  ),
  description: 'Scripted command',
  summary: 'Scripted command',
  // Codex hands a command that takes longer than this back as a running session.
  yield_time_ms: 30_000,
  ...(intent.escalate && {
    sandbox_permissions: 'require_escalated',
    with_escalated_permissions: true,
    justification: 'The scripted model asks for approval.',
  }),
})

const pathValues = (path: string): Values =>
  Object.fromEntries(
    ['path', 'file_path', 'filePath', 'filepath', 'absolute_path', 'filename', 'file'].map((key) => [key, path]),
  )

const optionsFor = (options: string[], schema: JsonSchema): unknown => {
  if (!isArray(schema)) return undefined
  const item = schema.items ?? {}
  return item.properties ? options.map((label) => ({ label, description: `The option ${label}` })) : options
}

const valuesOf = (intent: ToolIntent): Values => {
  switch (intent.intent) {
    case 'shell':
      return shellValues(intent)
    case 'write':
      return {
        ...pathValues(intent.path),
        ...Object.fromEntries(
          ['content', 'contents', 'file_text', 'text', 'new_string', 'new_text'].map((key) => [key, intent.content]),
        ),
        // Editors that create a file do it by replacing nothing.
        old_string: '',
        old_text: '',
        command: 'create',
      }
    case 'read':
      return { ...pathValues(intent.path), files: [{ path: intent.path }] }
    case 'subagent':
      return {
        prompt: intent.prompt,
        message: intent.prompt,
        task: intent.prompt,
        goal: intent.prompt,
        objective: intent.prompt,
        request: intent.prompt,
        description: 'Scripted subagent',
        task_name: 'scripted_subagent',
        name: 'scripted-subagent',
        // Without it a codex subagent would inherit the parent's whole conversation. Qwen has no such word.
        fork_turns: ({ enum: words }: JsonSchema) => (words && !words.includes('none') ? undefined : 'none'),
        run_in_background: false,
        // Droid answers at once with a task id otherwise.
        await: true,
      }
    case 'question':
      return {
        question: intent.question,
        title: intent.question,
        questionnaire: `1. [question] ${intent.question}\n[topic] Scripted\n${intent.options.map((option) => `[option] ${option}`).join('\n')}`,
        header: 'Scripted',
        id: 'scripted',
        options: (schema: JsonSchema) => optionsFor(intent.options, schema),
        choices: (schema: JsonSchema) => optionsFor(intent.options, schema),
        multiSelect: false,
      }
    default:
      return {}
  }
}

/** Kinds of subagent by the name of the tool that starts them, for agents that require one. */
const subagentTypes: Record<string, string> = {
  task: 'general',
  Task: 'general-purpose',
  Agent: 'general-purpose',
  agent: 'general-purpose',
  invoke_agent: 'generalist',
}

/** Droid lists its kinds of subagent in a reminder, Kimi in its system prompt or the description of the tool. */
const subagentType = (toolName: string, context: string): string => {
  if (/^- worker: /m.test(context)) return 'worker'
  return /^- coder: /m.test(context) ? 'coder' : (subagentTypes[toolName] ?? 'general-purpose')
}

/** How the properties of a tool are to be filled for an intent. Values win only where the schema has the property. */
export const hintFor = (intent: ToolIntent, toolName: string, context: string): Hint => {
  const values = valuesOf(intent)
  const kind = intent.intent === 'subagent' ? subagentType(toolName, context) : undefined
  return (key, schema) => {
    if (kind && /^(sub)?agent_?(type|name)$/i.test(key)) return schema.enum?.[0] ?? kind
    const value = values[key]
    return typeof value === 'function' ? value(schema) : value
  }
}
