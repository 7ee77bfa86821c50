import { expect, test } from 'vitest'
import type { McpServerConfig } from '../../contract/run-options.ts'
import adapter from './index.ts'

const ENDPOINT = { baseUrl: 'http://127.0.0.1:1', apiKey: 'k' }
const ENV = { HERMES_MANAGED_DIR: '' }

function settingsOf(options: Parameters<typeof adapter.buildSpawnArgs>[0]): Record<string, unknown> {
  const { files = [] } = adapter.buildSpawnArgs(options)
  return JSON.parse(files[0]?.content ?? '{}')
}

test('both forms are ACP, and the model is chosen by the protocol', () => {
  for (const nonInteractive of [false, true]) {
    const { args, stdin } = adapter.buildSpawnArgs({ prompt: 'hi', nonInteractive, model: 'm', env: ENV })
    expect(args).toEqual(['acp'])
    expect(stdin).toBeUndefined()
  }
})

test("an endpoint is a provider in the settings of the run, which win over the user's", () => {
  const options = { prompt: 'hi', endpoint: ENDPOINT, model: 'm', env: ENV }
  expect(settingsOf(options)).toEqual({
    model: { provider: 'amux', default: 'm' },
    providers: {
      amux: { base_url: 'http://127.0.0.1:1/v1', transport: 'chat_completions', api_key: 'k' },
      custom: { base_url: 'http://127.0.0.1:1/v1', transport: 'chat_completions', api_key: 'no-key-required' },
    },
    approvals: { mode: 'manual' },
  })
})

test('the settings of an administrator stay in force', () => {
  const managed = { HERMES_MANAGED_DIR: '/srv/hermes' }
  const plain = adapter.buildSpawnArgs({ prompt: 'hi', env: managed })
  expect(plain.env.HERMES_MANAGED_DIR).toBe('/srv/hermes')
  expect(plain.files).toEqual([])
  expect(() => adapter.buildSpawnArgs({ prompt: 'hi', endpoint: ENDPOINT, env: managed })).toThrow(/endpoint/)
})

test('every command is asked about, but in mode yolo', () => {
  expect(adapter.buildSpawnArgs({ prompt: 'hi', env: ENV }).env).toMatchObject({ TIRITH_BIN: 'false' })
  const yolo = { prompt: 'hi', approvalMode: 'yolo', env: ENV } as const
  expect(adapter.buildSpawnArgs(yolo).env).toMatchObject({ HERMES_YOLO_MODE: '1' })
  // With a budget each call waits for what it has cost, so that it has to ask.
  const limited = adapter.buildSpawnArgs({ ...yolo, maxCostUsd: 1 })
  expect(limited.env).toMatchObject({ TIRITH_BIN: 'false' })
  expect(limited.env.HERMES_YOLO_MODE).toBeUndefined()
})

test('MCP servers are in the settings of the run, where a change of the model does not drop them', () => {
  const mcpServers: McpServerConfig[] = [
    { name: 'a', command: 'a', args: ['b'] },
    { name: 'c', url: 'http://127.0.0.1:1', transport: 'sse' },
  ]
  expect(settingsOf({ prompt: 'hi', mcpServers, env: ENV })).toMatchObject({
    mcp_servers: {
      a: { command: 'a', args: ['b'], env: {} },
      c: { url: 'http://127.0.0.1:1', headers: {}, transport: 'sse' },
    },
  })
})
