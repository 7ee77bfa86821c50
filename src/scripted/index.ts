/**
 * A scripted model server: plays the model for real coding-agent CLIs on the loopback interface, without keys.
 *
 * @module
 */
export { defaultUsage } from './answer.ts'
export { scenarioNames, scenarios } from './scenarios.ts'
export { startScriptedServer } from './server.ts'
export { type McpCommand, startTinyMcpHttp, type TinyMcpHttp, tinyMcpServer } from './tiny-mcp.ts'
export type {
  Fail,
  FailureKind,
  Protocol,
  RecordedRequest,
  Reply,
  RequestKind,
  Say,
  Scenario,
  ScriptedServer,
  ScriptedServerOptions,
  ScriptedUsage,
  ToolIntent,
} from './types.ts'
