import { KEYLESS, type Subject } from '../kit/subject.ts'
import { endpointConfig } from './endpoint.ts'

export const subject: Subject = {
  protocol: 'openai-chat',
  model: 'gpt-5.5',
  alternativeModel: 'claude-opus-4-8',
  shellTool: 'exec',
  // A server on this machine may do without a key, it thinks.
  keyless: { ...KEYLESS, env: { OPENCLAW_DISABLE_BUNDLED_PLUGINS: '0' } },
  // A quarter of its start. Only the providers of other models are among them; the form of a user, below, loads them all.
  // The rest is mostly compiling, which need not be done again each time.
  env: {
    OPENCLAW_DISABLE_BUNDLED_PLUGINS: '1',
  },
  cacheEnv: { NODE_COMPILE_CACHE: 'compiled' },
  ownForm: {
    files: (endpoint) => ({ '.openclaw/openclaw.json': endpointConfig(endpoint, 'gpt-5.5') }),
    args: ['agent', '--local', '--json', '--agent=main', '--message=Please do what the script says.'],
  },
  // It starts slowly, and slower still beside other agents.
  timeoutMs: 300_000,
}
