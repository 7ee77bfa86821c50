import type { SessionDiff, SessionDiffOperation } from '../../../contract/session-manager.ts'
import type { SessionMessage } from '../../../contract/sessions.ts'
import { defineCommand, refuseExtra, usageError } from '../../command.ts'
import type { Paint, Style } from '../../output.ts'
import { oneLine, plural, truncate } from '../../text.ts'

export const command = defineCommand({
  usage: 'sessions diff ID ID',
  about: 'Compares who said what, and which tools were called. The exit code is 0 whether or not they differ.',
  flags: { all: { type: 'boolean', about: 'Also what both have' } },
  examples: ['amux sessions diff db77 9c01', 'amux sessions diff db77 9c01 --all'],
  async run({ args: [a, b, ...rest], flags }, { output, client }) {
    refuseExtra(rest, 0)
    if (a === undefined || b === undefined) throw usageError('Which two? amux sessions diff ID ID')
    const { sessions } = await client(flags)
    const diff = await sessions.diff(a, b)
    sessions.close()
    output.result(diff, diffText(diff, flags.all ?? false, output.paint(), output.width))
    return 0
  },
})

function diffText({ operations, stats }: SessionDiff, all: boolean, paint: Paint, width: number): string {
  const lines: string[] = []
  let same = 0
  const endSame = () => {
    if (same > 0) lines.push(paint('dim', `  … ${plural(same, 'message')} in both`))
    same = 0
  }
  for (const operation of operations) {
    if (operation.op === 'unchanged' && !all) same += 1
    else {
      endSame()
      lines.push(...operationLines(operation, paint, width))
    }
  }
  endSame()
  const { additions, removals, modifications, unchanged } = stats
  const counts = `${additions} added, ${removals} removed, ${modifications} changed, ${unchanged} in both`
  return [...lines, '', counts].join('\n')
}

function operationLines({ op, messageA, messageB }: SessionDiffOperation, paint: Paint, width: number): string[] {
  const line = (mark: string, style: Style, message: SessionMessage | undefined) =>
    message ? [paint(style, truncate(`${mark} ${brief(message)}`, width))] : []
  if (op === 'unchanged') return line(' ', 'dim', messageA)
  return [...line('-', 'red', messageA), ...line('+', 'green', messageB)]
}

function brief({ role, content, toolCalls = [] }: SessionMessage): string {
  const tools = toolCalls.map(({ toolName }) => `[${toolName}]`).join(' ')
  return `${role}: ${oneLine(`${content} ${tools}`)}`
}
