import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { McpServerConfig, RunOptions } from '../../contract/run-options.ts'
import { defaultUsage, tinyMcpServer } from '../../scripted/index.ts'
import { type Bench, type Check, must, mustEnd, mustKeepOrder, mustNotSee, mustSay, mustSee } from '../check.ts'

const INPUT = defaultUsage.input + defaultUsage.cacheRead + defaultUsage.cacheWrite

async function checkText(bench: Bench, nonInteractive: boolean): Promise<void> {
  const run = await bench.run({ nonInteractive })
  mustEnd(run, 'completed')
  mustKeepOrder(run)
  mustSay(run, 'Hello from the scripted model.')
  mustSee(run, 'text_delta')
  const { tokenUsage, sessionId, turnCount, model } = run.result
  must(turnCount === 1, `${turnCount} turns, not 1`)
  must(!bench.tells('session id', nonInteractive) || (sessionId !== null && sessionId !== ''), 'no session id')
  must(model !== null, 'no model')
  if (!bench.tells('usage', nonInteractive)) return
  must(tokenUsage !== null, 'no token usage')
  must(
    tokenUsage.outputTokens === defaultUsage.output,
    `${tokenUsage.outputTokens} output tokens, not ${defaultUsage.output}`,
  )
  must(tokenUsage.inputTokens === INPUT, `${tokenUsage.inputTokens} input tokens, not ${INPUT}`)
  if (!bench.tells('cached tokens', nonInteractive)) return
  must(tokenUsage.cacheReadTokens === defaultUsage.cacheRead, `${tokenUsage.cacheReadTokens} cached tokens`)
}

export async function checkTool(bench: Bench, options: Partial<RunOptions>): Promise<void> {
  const { nonInteractive = false } = options
  const run = await bench.run({ approvalMode: 'yolo', ...options })
  mustEnd(run, 'completed')
  mustKeepOrder(run)
  must(bench.sent().at(-1)?.includes('scripted-tool-output') ?? false, 'the output was not sent to the model')
  mustSay(run, 'The command has run.')
  if (!bench.tells('tools', nonInteractive)) return
  const call = mustSee(run, 'tool_call_start')
  if (bench.tells('tool input', nonInteractive)) {
    mustSee(run, 'tool_call_ready')
    if (bench.capabilities.supportsToolCallStreaming && !nonInteractive) mustSee(run, 'tool_input_delta')
    const start = mustSee(run, 'shell_start')
    must(start.command.includes('echo scripted-tool-output'), `the command is ${start.command}`)
    must(mustSee(run, 'shell_exit').exitCode === 0, 'the shell did not exit with 0')
  }
  const result = mustSee(run, 'tool_result')
  must(result.toolCallId === call.toolCallId, 'the result belongs to another call')
  if (bench.tells('command output', nonInteractive)) {
    must(JSON.stringify(result.output).includes('scripted-tool-output'), 'the output is not in the result')
  }
}

/** With the tiny server, however it is reached. */
export async function checkMcp(bench: Bench, server: McpServerConfig): Promise<void> {
  const run = await bench.run({ approvalMode: 'yolo', mcpServers: [server] })
  mustEnd(run, 'completed')
  mustKeepOrder(run)
  must(bench.sent().at(-1)?.includes('pong:ping') ?? false, 'the result was not sent to the model')
  if (!bench.tells('tools', false)) return
  const call = mustSee(run, 'mcp_tool_call_start')
  must(call.server === 'tiny' && call.toolName === 'echo', `the call is ${call.server}/${call.toolName}`)
  const { output } = mustSee(run, 'mcp_tool_result')
  must(JSON.stringify(output).includes('pong:ping'), `the result is ${JSON.stringify(output)}`)
}

export const basics: readonly Check[] = [
  { name: 'text', title: 'text, usage and session', scenario: 'text', run: (bench) => checkText(bench, false) },
  { name: 'one-shot', title: 'one-shot form', scenario: 'text', run: (bench) => checkText(bench, true) },
  {
    name: 'thinking',
    title: 'thinking',
    scenario: 'thinking',
    applies: (c) => c.supportsThinking,
    async run(bench) {
      const run = await bench.run({})
      mustEnd(run, 'completed')
      mustKeepOrder(run)
      mustSay(run, '42')
      if (!bench.tells('thinking', false)) return
      const { thinking } = mustSee(run, 'thinking_stop')
      must(thinking.includes('step by step'), `the thinking is ${JSON.stringify(thinking.slice(0, 100))}`)
    },
  },
  {
    name: 'tool',
    title: 'a tool call',
    scenario: 'tool',
    applies: (c) => c.supportsNativeTools,
    run: (bench) => checkTool(bench, {}),
  },
  {
    name: 'one-shot-tool',
    title: 'a tool call, one-shot',
    scenario: 'tool',
    applies: (c) => c.supportsNativeTools,
    run: (bench) => checkTool(bench, { nonInteractive: true }),
  },
  {
    name: 'tools',
    title: 'several tool calls in one reply',
    scenario: 'tools',
    applies: (c) => c.supportsParallelToolCalls,
    async run(bench) {
      const run = await bench.run({ approvalMode: 'yolo' })
      mustEnd(run, 'completed')
      mustKeepOrder(run)
      const results = run.events
        .filter((event) => event.type === 'tool_result')
        .map(({ output }) => JSON.stringify(output))
      must(bench.sent().at(-1)?.includes('scripted-three') ?? false, 'the results were not sent to the model')
      if (!bench.tells('tools', false)) return
      must(results.length === 3, `${results.length} results, not 3`)
      if (!bench.tells('command output', false)) return
      for (const word of ['scripted-one', 'scripted-two', 'scripted-three']) {
        must(
          results.some((output) => output.includes(word)),
          `no result with ${word}`,
        )
      }
    },
  },
  {
    name: 'write',
    title: 'a file written',
    scenario: 'write',
    async run(bench) {
      const asks = bench.capabilities.approvalModes.includes('accept-edits')
      const run = await bench.run({ approvalMode: asks ? 'accept-edits' : 'yolo' })
      mustEnd(run, 'completed')
      mustKeepOrder(run)
      const path = join(bench.cwd, 'scripted.txt')
      must(existsSync(path), 'the file was not written')
      must(readFileSync(path, 'utf8').includes('written by the scripted model'), 'the file holds something else')
      if (!bench.tells('tool input', false)) return
      const touched = run.events.find(
        ({ type }) => type === 'file_create' || type === 'file_write' || type === 'file_patch',
      )
      must(touched !== undefined, 'no event names the file')
    },
  },
  {
    name: 'mcp',
    title: 'MCP servers',
    scenario: 'mcp',
    applies: (c) => c.supportsMCP,
    run: (bench) => checkMcp(bench, { name: 'tiny', ...tinyMcpServer() }),
  },
  {
    name: 'subagent',
    title: 'sub-agents',
    scenario: 'subagent',
    applies: (c) => c.supportsSubagentDispatch,
    async run(bench) {
      // Codex gives the tool for this to its newer models only, which the alternative model is.
      const run = await bench.run({ approvalMode: 'yolo', model: bench.alternativeModel })
      mustEnd(run, 'completed')
      mustSee(run, 'subagent_spawn')
      mustSee(run, 'subagent_result')
      mustSay(run, 'The subagent has answered.')
    },
  },
  {
    name: 'long',
    title: 'a long answer, whole',
    scenario: 'long',
    async run(bench) {
      const run = await bench.run({})
      mustEnd(run, 'completed')
      mustKeepOrder(run)
      must(run.result.text.length > 180_000, `${run.result.text.length} characters arrived`)
      must(run.result.text.includes('4700 is a line'), 'the last line is missing')
      const deltas = run.events.filter((event) => event.type === 'text_delta').map(({ delta }) => delta)
      must(deltas.join('') === run.result.text, 'the deltas do not add up to the text')
      if (bench.capabilities.supportsTextStreaming) must(deltas.length > 10, `the text came in ${deltas.length} pieces`)
    },
  },
  {
    name: 'schema',
    title: 'structured output',
    scenario: 'json',
    async run(bench) {
      const outputSchema = {
        $schema: 'https://json-schema.org/draft/2020-12/schema', // as Zod and ArkType write it
        type: 'object',
        properties: { city: { type: 'string' }, size: { type: 'number' } },
        required: ['city', 'size'],
        additionalProperties: false,
      }
      const run = await bench.run({ outputSchema })
      mustEnd(run, 'completed')
      const answer = run.result.structuredOutput
      must(typeof answer === 'object' && answer !== null, 'no structured output')
      must('city' in answer && 'size' in answer, `the output is ${JSON.stringify(answer)}`)
      mustNotSee(run, 'error')
    },
  },
]
