import type { AdapterManifest } from '../../contract/manifest.ts'

const PROVIDERS = {
  ANTHROPIC_API_KEY: 'Anthropic',
  OPENAI_API_KEY: 'OpenAI',
  OPENROUTER_API_KEY: 'OpenRouter',
  GEMINI_API_KEY: 'Google',
  GOOGLE_GENERATIVE_AI_API_KEY: 'Google',
}

/** For agents that bring no models of their own: the variables that hold the keys of providers. */
export function providerKeys(...names: (keyof typeof PROVIDERS)[]): AdapterManifest['auth']['envVars'] {
  return names.map((name) => ({ name, method: 'api_key', description: `For models of ${PROVIDERS[name]}.` }))
}
