import type { Dialogue } from '../../contract/dialogue.ts'
import type { RunOptions } from '../../contract/run-options.ts'
import type { ClaudeDialect } from '../../core/claude-stream/dialect.ts'
import { claudeStreamDialogue } from '../../core/claude-stream/dialogue.ts'
import { PLAIN_DIALECT } from '../../core/claude-stream/plain-dialect.ts'
import { promptWithMentions } from '../../core/mention.ts'
import { acpDialogue } from '../acp/dialogue.ts'
import { eitherWire } from '../acp/either-wire.ts'
import { profile } from './profile.ts'

/** Seen of 1.1.52: the first record, and those of a run without an account. The rest as in Claude Code. */
const dialect: ClaudeDialect = {
  ...PLAIN_DIALECT,
  agent: 'qoder',
  displayName: 'Qoder CLI',
  tools: {
    Bash: { kind: 'shell', command: 'command' },
    Read: { kind: 'read', path: 'file_path' },
    Write: { kind: 'write', path: 'file_path', content: 'content' },
    Edit: { kind: 'patch', path: 'file_path' },
    NotebookEdit: { kind: 'patch', path: 'notebook_path' },
    Agent: { kind: 'subagent', agent: 'subagent_type', prompt: 'prompt' },
  },
  questionTool: 'AskUserQuestion',
  silent: new Set(['system/status', 'keep_alive']),
  guidance: profile.guidance ?? '',
  failureWords: [{ pattern: /^Not logged in/, kind: 'auth' }],
  errorCodes: new Map([['authentication_failed', 'auth']]),
  exitWords: profile.exitWords ?? [],
  promptContent: (options) => promptWithMentions('qoder', options),
}

/** Speaks both wires of the Qoder CLI: ACP, and the records of a one-shot run. */
export function createDialogue(options: RunOptions): Dialogue {
  return eitherWire({
    usesAcp: !options.nonInteractive,
    acp: acpDialogue('qoder', profile)(options),
    stream: claudeStreamDialogue(dialect, { ...options, nonInteractive: true }),
  })
}
