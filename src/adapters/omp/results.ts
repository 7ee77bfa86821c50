import type { Effect } from '../../contract/dialogue.ts'
import { asRecord, asRecords, asString, type JsonRecord } from '../../core/json.ts'
import type { ResultFacts } from '../families/pi/dialect.ts'
import { inputField } from '../kit/tool-files.ts'
import { mcpTool, type ToolCall } from '../kit/tools.ts'
import { MCP_PLUGIN } from './mcp.ts'

/** `xd://tool`, `skill://name`, `https://…`: the file tools also reach what is not a file. */
const ADDRESS = /^(\w+):\/\/(.*)$/

const OWN_SERVER = new RegExp(`^${MCP_PLUGIN}:`)

/**
 * What `details` reports about a call: the paths are absolute there, and an edit (18.2.3) names its file nowhere else.
 */
export function resultFacts(call: ToolCall, details: JsonRecord): ResultFacts {
  const device = asRecord(details.xdev)
  const mcp = mcpCall(call, device, asRecord(device?.inner) ?? details)
  switch (call.toolName) {
    case 'read':
      return { did: readSource(call, details) }
    case 'write':
      return device || ADDRESS.test(inputField(call.input, 'path')) ? { mcp, did: [] } : {}
    case 'edit':
      return { did: editedFiles(details) }
    default:
      return { mcp }
  }
}

function mcpCall(call: ToolCall, device: JsonRecord | undefined, reported: JsonRecord): ResultFacts['mcp'] {
  const server = asString(reported.serverName)?.replace(OWN_SERVER, '')
  const toolName = asString(reported.mcpToolName)
  // Those of the run's own servers are known by their name.
  if (server === undefined || toolName === undefined || mcpTool(call.toolName)) return undefined
  return { server, toolName, input: device?.args ?? call.input }
}

function readSource(call: ToolCall, details: JsonRecord): Effect[] {
  const source = asRecord(asRecord(details.meta)?.source)
  const path = asString(source?.value) ?? inputField(call.input, 'path')
  const [, scheme, name = ''] = ADDRESS.exec(path) ?? []
  if (scheme === 'skill') return [{ emit: { type: 'skill_invoked', skillName: name } }]
  return scheme === undefined && path !== '' ? [{ emit: { type: 'file_read', path } }] : []
}

function editedFiles(details: JsonRecord): Effect[] {
  const several = asRecords(details.perFileResults)
  return (several.length > 0 ? several : [details]).flatMap(editedFile)
}

function editedFile({ op, path, move, diff, newText, isError }: JsonRecord): Effect[] {
  const file = asString(move) ?? asString(path)
  if (file === undefined || isError === true) return []
  if (op === 'delete') return [{ emit: { type: 'file_delete', path: file } }]
  if (op !== 'create') return [{ emit: { type: 'file_patch', path: file, diff: asString(diff) ?? '' } }]
  return [{ emit: { type: 'file_create', path: file, byteCount: Buffer.byteLength(asString(newText) ?? '') } }]
}
