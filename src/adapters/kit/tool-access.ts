import type { AccessKind, ToolAccess } from '../../contract/events.ts'
import { asString } from '../../core/json.ts'
import { pathsInPatch } from './patch-text.ts'
import { inputField, pathsIn } from './tool-files.ts'
import { mcpTool, type ToolKind, type ToolMap } from './tools.ts'

/** Names that agents share for tools which their own maps do not read. */
const FETCHES = /^(?:web_?(?:fetch|search)|google_web_search|fetch(?:_?url|_webpage)?)$/i
const SEARCHES = /^(?:grep|glob|ls|list|list_dir(?:ectory)?|find|grep_search|file_search|search_file_content)$/i

/** What a call would touch: its kind in the words of all agents, its files, its command. */
export function toolAccess(map: ToolMap, toolName: string, input: unknown): ToolAccess {
  const tool = Object.hasOwn(map, toolName) ? map[toolName] : undefined
  if (mcpTool(toolName)) return { kind: 'mcp', paths: [] }
  if (tool === undefined || tool.kind === 'other') return { kind: kindOfName(toolName), paths: [] }
  return accessOfKind(tool, input)
}

function kindOfName(toolName: string): AccessKind {
  if (FETCHES.test(toolName)) return 'fetch'
  return SEARCHES.test(toolName) ? 'read' : 'other'
}

function accessOfKind(tool: ToolKind, input: unknown): ToolAccess {
  switch (tool.kind) {
    case 'shell':
      return { kind: 'execute', paths: [], command: inputField(input, tool.command, tool.separator) }
    case 'read':
      return { kind: 'read', paths: known(pathsIn(input, tool.path)) }
    case 'write':
    case 'patch':
    case 'delete':
      return { kind: 'edit', paths: known(pathsIn(input, tool.path)) }
    case 'patch_text':
      return { kind: 'edit', paths: pathsInPatch(asString(input) ?? inputField(input, tool.patch)) }
    default:
      return { kind: 'other', paths: [] }
  }
}

function known(paths: string[]): string[] {
  return paths.filter((path) => path !== '')
}

/** Several calls that are allowed or refused together. Of different kinds, it is not known what they touch. */
export function jointAccess(accesses: readonly ToolAccess[]): ToolAccess {
  const [first, ...rest] = accesses
  if (first === undefined) return {}
  if (rest.length === 0) return first
  const isSame = rest.every(({ kind }) => kind === first.kind) && first.kind !== 'mcp' && first.kind !== 'other'
  if (!isSame || accesses.some(({ paths = [] }) => first.kind !== 'execute' && paths.length === 0)) {
    return { kind: 'other' }
  }
  const commands = accesses.flatMap(({ command }) => command ?? [])
  const paths = accesses.flatMap((one) => one.paths ?? [])
  return { kind: first.kind, paths, ...(commands.length > 0 ? { command: commands.join('\n') } : {}) }
}
