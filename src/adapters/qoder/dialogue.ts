import type { Dialogue } from '../../contract/dialogue.ts'
import type { RunOptions } from '../../contract/run-options.ts'
import type { ClaudeDialect } from '../../core/claude-stream/dialect.ts'
import { claudeStreamDialogue } from '../../core/claude-stream/dialogue.ts'
import { textOf } from '../../core/json.ts'
import { promptWithMentions } from '../../core/mention.ts'
import { acpDialogue } from '../acp/dialogue.ts'
import { eitherWire } from '../acp/either-wire.ts'
import { profile } from './profile.ts'

/** Seen of 1.1.52: the first record, and those of a run without an account. The rest as in Claude Code. */
const dialect: ClaudeDialect = {
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
  midTurn: 'queued',
  wholeBlock: 'before-stop',
  usage: 'result',
  structuredField: 'structured_output',
  guidance: profile.guidance ?? '',
  verdicts: [{ field: 'subtype', value: 'error_max_turns', kind: 'turn_limit' }],
  failureWords: [{ pattern: /^Not logged in/, kind: 'auth' }],
  errorCodes: new Map([['authentication_failed', 'auth']]),
  exitCodes: new Map(),
  exitWords: profile.exitWords ?? [],
  promptContent: (options) => promptWithMentions('qoder', options),
  toolOutcome: (block) => {
    const output = textOf(block.content)
    return { output: block.content, stdout: output, error: block.is_error === true ? output : undefined }
  },
}

/** Speaks both wires of the Qoder CLI: ACP, and the records of a one-shot run. */
export function createDialogue(options: RunOptions): Dialogue {
  return eitherWire({
    usesAcp: !options.nonInteractive,
    acp: acpDialogue('qoder', profile)(options),
    stream: claudeStreamDialogue(dialect, { ...options, nonInteractive: true }),
  })
}
