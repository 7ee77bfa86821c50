import { expect, test } from 'vitest'
import { defineManifest } from '../adapters/kit/define-manifest.ts'
import type { EndpointProtocol } from '../contract/run-options.ts'
import { libraryUrl, plainUrl, protocolOf, versionedUrl } from './endpoint.ts'

const endpoint = (baseUrl: string, protocol?: EndpointProtocol) => ({ baseUrl, apiKey: 'k', protocol })
const speaking = (...endpointProtocols: EndpointProtocol[]) =>
  defineManifest({
    agent: 'codex',
    displayName: 'Codex',
    cliCommand: 'codex',
    verification: 'unverified',
    capabilities: { endpointProtocols },
    auth: { envVars: [], files: [], providerName: '', documentationUrls: [] },
  }).capabilities

test('an endpoint must speak what the agent speaks, or not say', () => {
  expect(protocolOf(speaking('openai-chat', 'anthropic'), endpoint('http://l'))).toBe('openai-chat')
  expect(protocolOf(speaking('openai-chat', 'anthropic'), endpoint('http://l', 'anthropic'))).toBe('anthropic')
  expect(() => protocolOf(speaking('openai-responses', 'gemini'), endpoint('http://l', 'anthropic'))).toThrow(
    expect.objectContaining({ hint: 'The endpoint must speak openai-responses or gemini.' }),
  )
  expect(() => protocolOf(speaking(), endpoint('http://l'))).toThrow(
    expect.objectContaining({ capability: 'another endpoint' }),
  )
})

test.each([
  ['http://l:1', 'openai-chat', 'http://l:1/v1', 'http://l:1'],
  ['http://l:1/', 'openai-responses', 'http://l:1/v1', 'http://l:1'],
  ['http://l:1/v1/', 'anthropic', 'http://l:1/v1', 'http://l:1'],
  ['http://l:1/s/tool', 'anthropic', 'http://l:1/s/tool/v1', 'http://l:1/s/tool'],
  ['http://l:1/s/tool/v1', 'openai-chat', 'http://l:1/s/tool/v1', 'http://l:1/s/tool'],
  ['http://l:1', 'gemini', 'http://l:1/v1beta', 'http://l:1'],
  ['http://l:1/v1beta', 'gemini', 'http://l:1/v1beta', 'http://l:1'],
  // Paths of gateways stay as they are.
  ['https://g.example/v1/account/gateway/openai', 'openai-chat', 'https://g.example/v1/account/gateway/openai', null],
  ['https://z.example/api/paas/v4', 'openai-chat', 'https://z.example/api/paas/v4', null],
] as const)('%s for %s', (given, protocol, versioned, plain) => {
  expect(versionedUrl(endpoint(given), protocol)).toBe(versioned)
  if (plain === null) return
  expect(plainUrl(endpoint(given), protocol)).toBe(plain)
  expect(libraryUrl(endpoint(given), protocol)).toBe(protocol === 'anthropic' ? plain : versioned)
})
