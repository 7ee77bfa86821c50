import { asArray, asNumber, asRecords, asString, isRecord, type JsonRecord, textOf } from '../../core/json.ts'
import type { ToolMap, ToolOutcome } from '../kit/tools.ts'

export const TOOLS: ToolMap = {
  Bash: { kind: 'shell', command: 'command' },
  PowerShell: { kind: 'shell', command: 'command' },
  Read: { kind: 'read', path: 'file_path' },
  Write: { kind: 'write', path: 'file_path', content: 'content' },
  Edit: { kind: 'patch', path: 'file_path' },
  MultiEdit: { kind: 'patch', path: 'file_path' },
  Skill: { kind: 'skill', skill: 'skill' },
  NotebookEdit: { kind: 'patch', path: 'notebook_path' },
}

const EXIT_CODE = /^Exit code (\d+)\n?/

/** The hunks that the CLI reports for an edit, as a unified diff without file names. */
function unifiedDiff(structured: JsonRecord): string {
  return asRecords(structured.structuredPatch)
    .map((hunk) => {
      const range = (start: unknown, lines: unknown) => `${asNumber(start) ?? 0},${asNumber(lines) ?? 0}`
      const header = `@@ -${range(hunk.oldStart, hunk.oldLines)} +${range(hunk.newStart, hunk.newLines)} @@`
      return [header, ...asArray(hunk.lines).map(textOf)].join('\n')
    })
    .join('\n')
}

function outputOf(content: unknown): unknown {
  const onlyText = Array.isArray(content) && content.every((part) => isRecord(part) && part.type === 'text')
  return onlyText ? textOf(content) : content
}

/** Joins the `tool_result` block, which the model sees, with the structured result that only hosts get. */
export function toolOutcome(block: JsonRecord, result: unknown): ToolOutcome {
  const output = outputOf(block.content)
  if (block.is_error === true) {
    const error = textOf(block.content).replace(/^<tool_use_error>|<\/tool_use_error>$/g, '')
    const exit = EXIT_CODE.exec(error)
    // A command that ran and failed: what it printed follows its exit code.
    return exit ? { output, error, exitCode: Number(exit[1]), stdout: error.slice(exit[0].length) } : { output, error }
  }
  // The calls of a sub-agent come without.
  if (!isRecord(result)) return { output, stdout: textOf(block.content) }
  return {
    output,
    stdout: asString(result.stdout),
    stderr: asString(result.stderr),
    exitCode: result.interrupted === true ? -1 : undefined,
    created: result.type === 'create',
    diff: unifiedDiff(result),
  }
}
