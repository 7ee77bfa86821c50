import type { ToolIntent } from '../types.ts'

export type IntentName = NonNullable<ToolIntent['intent']>

/**
 * The tool of each agent for an intent, as seen in their requests; the first that is declared is taken. Where none is,
 * the pattern is tried on the names of the rest.
 */
export const knownNames: Record<Exclude<IntentName, 'mcp'>, { names: string[]; pattern: RegExp }> = {
  shell: {
    names: [
      'Bash', // claude, kimi, qoder
      'exec_command', // codex
      'shell_command',
      'shell', // codex with older models
      'local_shell',
      'run_shell_command', // gemini, qwen
      'bash', // copilot, opencode, kilo, pi, omp
      'Execute', // droid
      'run_terminal_command', // grok
      'run_terminal_cmd',
      'run_commands', // cline
      'execute_command',
      'Shell',
      'exec', // openclaw
      'terminal', // hermes, which has execute_code as well
    ],
    pattern: /^(?!.*(output|kill|stdin|list))(.*[_-])?(bash|shell|terminal|command|execute?)s?([_-].*)?$/i,
  },
  write: {
    names: [
      'Write',
      'write_file',
      'write',
      'WriteFile',
      'create',
      'Create',
      'write_to_file',
      'create_file',
      'apply_patch',
      'ApplyPatch',
      'search_replace',
      'editor',
    ],
    pattern: /^(write|create)([_-]?(to[_-])?file)?$/i,
  },
  read: {
    names: ['Read', 'read_file', 'read', 'view', 'ReadFile', 'read_files'],
    pattern: /^(read|view)([_-]?files?)?$/i,
  },
  subagent: {
    names: [
      'Agent',
      'Task',
      'task',
      'agent',
      'spawn_agent',
      'spawn_subagent',
      'subagent',
      'invoke_agent',
      'generalist',
    ],
    pattern: /^(sub_?agents?|(spawn|invoke|delegate)[_-].*agent|delegate_task)$/i,
  },
  question: {
    names: [
      'AskUserQuestion',
      'request_user_input',
      'ask_user_question',
      'ask_user',
      'question',
      'AskUser',
      'ask_question',
      'ask',
    ],
    pattern: /^ask[_-]?(user|question|follow)/i,
  },
}
