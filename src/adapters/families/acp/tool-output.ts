import type { Content, Terminal, ToolCallContent } from '@agentclientprotocol/sdk/unstable'
import { asNumber, asRecord, asRecords, asString, textOf } from '../../../core/json.ts'
import { exitCodeOf } from '../../kit/tools.ts'
import type { Native } from './rpc.ts'
import type { AcpState, Tool } from './state.ts'

/** What the agent shows of the call. */
export function contentText({ content }: Tool): string {
  return content
    .flatMap((part: Native<ToolCallContent>) => {
      const { content: block }: Native<Content> = part
      return part.type === 'content' ? [textOf(asRecord(block)?.text)] : []
    })
    .filter((text) => text !== '')
    .join('\n')
}

/** The call with the result of a command as it was, where the agent dresses it up. */
export function plainResult({ profile }: AcpState, tool: Tool): Tool {
  const result = tool.kind === 'execute' ? profile.shellResult?.(contentText(tool)) : undefined
  if (!result) return tool
  tool.content = [{ type: 'content', content: { type: 'text', text: result.output } }]
  tool.exitCode = result.exitCode ?? tool.exitCode
  return tool
}

function terminalOf(state: AcpState, { content }: Tool): { output: string; exitCode: number | null } | undefined {
  for (const part of content) {
    const { terminalId }: Native<Terminal> = part
    const terminal = part.type === 'terminal' ? state.terminals.get(asString(terminalId) ?? '') : undefined
    if (terminal) return terminal
  }
  return undefined
}

/** What a command printed: from its terminal, from the raw output, else from what the agent shows. */
export function shellText(state: AcpState, tool: Tool, shown: string): string {
  if (tool.streamed !== '') return tool.streamed
  const raw = asRecord(tool.output)
  const inDetails = asString(asRecord(raw?.details)?.aggregated)
  const inContent = Array.isArray(raw?.content) ? textOf(raw.content) : undefined
  const reported =
    asString(tool.output) ?? asString(raw?.output) ?? asString(raw?.stdout) ?? inDetails ?? inContent ?? shown
  const { shellNoise } = state.profile
  return terminalOf(state, tool)?.output ?? (shellNoise ? reported.replace(shellNoise, '') : reported)
}

export function exitOf(state: AcpState, tool: Tool): number | undefined {
  const raw = asRecord(tool.output)
  const places = [raw, asRecord(raw?.details), asRecord(raw?.metadata), ...asRecords(raw?.contents)]
  const codes = places.map((place) => exitCodeOf(place) ?? asNumber(place?.exit))
  return tool.exitCode ?? terminalOf(state, tool)?.exitCode ?? codes.find((code) => code !== undefined)
}

export function errorOf({ output, title }: Tool, text: string): string {
  const raw = asRecord(output)
  return (
    text || (asString(output) ?? asString(raw?.message) ?? asString(raw?.error) ?? `${title || 'The call'} failed.`)
  )
}
