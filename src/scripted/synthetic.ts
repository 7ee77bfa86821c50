import type { Entry } from './conversation.ts'

/** Blocks that CLIs put into user messages on their own. Seen on: claude, codex, gemini, qwen, copilot, cline, droid, grok, openclaw, aider. */
const injectedTags = [
  'system-reminder',
  'system_reminder',
  'system-notification',
  'environment_context',
  'environment_details',
  'user_instructions',
  'user_info',
  'rules',
  'session_context',
  'current_datetime',
  'turn_aborted',
  'subagent_notification',
  'hook_context',
  'skills_instructions',
  'recommended_plugins',
  'reminder',
  'context',
  'git_status',
  'local-command-caveat',
  'local-command-stdout',
  'command-name',
  'command-message',
  'command-args',
  'task-notification',
]

const injectedBlock = new RegExp(`<(${injectedTags.join('|')})\\b[^>]*>[\\s\\S]*?</\\1>`, 'g')

const injectedOpenings = [
  'This is the Gemini CLI.',
  'This is the Qwen Code.',
  '# AGENTS.md instructions',
  '[Request interrupted by user',
  'Your response above was stopped by a safety classifier', // claude, after a refusal
  'System: ',
  '<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>',
  // Aider talks to its model as if the user did: examples, files, what it may edit.
  'Change get_factorial() to use math.factorial',
  'Refactor hello() into its own file.',
  'Change the greeting to be more casual',
  'I switched to a new code base.',
  'Here are summaries of some files present in my git repository.',
  "Don't try and edit any existing code without asking me",
  'I have *added these files to the chat*',
  'Here are some READ ONLY files',
  'I am not sharing any files that you can edit yet.',
  'I committed the changes with git hash',
  'I updated the files.',
]

/** Aider ends what was typed with its rules for edits. */
const aiderRules = /\n\n(?:To suggest changes to a file you MUST|# \*SEARCH\/REPLACE block\* Rules:)[\s\S]*$/

/** What a person typed in a user message: its text without the blocks the CLI added, empty when nothing is left. */
export const typedText = (text: string): string => {
  // Grok marks what was typed instead.
  const rest = (/<user_query>([\s\S]*)<\/user_query>/.exec(text)?.[1] ?? text.replace(injectedBlock, ''))
    .replace(aiderRules, '')
    .trim()
  return injectedOpenings.some((opening) => rest.startsWith(opening)) ? '' : rest
}

/** The user entry of a message's text parts: none when all of it was injected. */
export const userEntries = (parts: string[]): Entry[] => {
  const text = parts
    .map(typedText)
    .filter((part) => part !== '')
    .join('\n')
  return text === '' ? [] : [{ role: 'user', text }]
}
