import type { AdapterManifest, AuthFile } from '../../contract/manifest.ts'

const PROVIDERS = {
  ANTHROPIC_API_KEY: 'Anthropic',
  OPENAI_API_KEY: 'OpenAI',
  OPENROUTER_API_KEY: 'OpenRouter',
  GEMINI_API_KEY: 'Google',
  GOOGLE_GENERATIVE_AI_API_KEY: 'Google',
}

/** Of providers that every agent with models of others knows by these names. */
export const MORE_PROVIDER_KEYS = ['GROQ_API_KEY', 'XAI_API_KEY', 'DEEPSEEK_API_KEY', 'MISTRAL_API_KEY']

/** A file of variables that a CLI reads when it starts. */
export function providerVariables(path: string): AuthFile {
  return { path, method: 'config_file', format: 'env', keys: [...Object.keys(PROVIDERS), ...MORE_PROVIDER_KEYS] }
}

/** For agents that bring no models of their own: the variables that hold the keys of providers. */
export function providerKeys(...names: (keyof typeof PROVIDERS)[]): AdapterManifest['auth']['envVars'] {
  return names.map((name) => ({ name, method: 'api_key', description: `For models of ${PROVIDERS[name]}.` }))
}
