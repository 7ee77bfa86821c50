import type { Protocol, RequestKind } from './types.ts'

export type Route = { scenario?: string; kind: RequestKind; protocol?: Protocol; path: string }

const endpoints: { method: string; path: RegExp; kind: RequestKind; protocol?: Protocol }[] = [
  { method: 'POST', path: /\/messages\/count_tokens$/, kind: 'count-tokens', protocol: 'anthropic' },
  { method: 'POST', path: /\/messages$/, kind: 'model', protocol: 'anthropic' },
  { method: 'POST', path: /\/responses$/, kind: 'model', protocol: 'openai-responses' },
  { method: 'POST', path: /\/chat\/completions$/, kind: 'model', protocol: 'openai-chat' },
  {
    method: 'POST',
    path: /\/models\/[^/]+:(streamGenerateContent|generateContent)$/,
    kind: 'model',
    protocol: 'gemini',
  },
  { method: 'POST', path: /\/models\/[^/]+:countTokens$/, kind: 'count-tokens', protocol: 'gemini' },
  { method: 'GET', path: /\/models$/, kind: 'models' },
  { method: 'GET', path: /^\/$/, kind: 'health' },
  { method: 'HEAD', path: /^\/$/, kind: 'health' },
]

/** What a request asks for. The prefix `/s/<name>` names its scenario; the rest is matched by its end, with or without `/v1`. */
export const routeOf = (method: string, url: string): Route => {
  const pathname = (url.split('?')[0] ?? '/').replaceAll(/\/{2,}/g, '/')
  const [, name, rest] = /^\/s\/([^/]+)(\/.*)?$/.exec(pathname) ?? []
  const path = (name === undefined ? pathname : (rest ?? '/')).replace(/(.)\/$/, '$1')
  const endpoint = endpoints.find((candidate) => candidate.method === method && candidate.path.test(path))
  return {
    scenario: name === undefined ? undefined : decodeURIComponent(name),
    kind: endpoint?.kind ?? 'unhandled',
    protocol: endpoint?.protocol,
    path,
  }
}

const suffixes: Record<Protocol, string> = {
  anthropic: '',
  'openai-responses': '/v1',
  'openai-chat': '/v1',
  gemini: '',
}

export const baseUrlOf = (origin: string, protocol: Protocol, scenario?: string): string =>
  `${origin}${scenario === undefined ? '' : `/s/${encodeURIComponent(scenario)}`}${suffixes[protocol]}`
