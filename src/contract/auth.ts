import type { AgentName } from './names.ts'

/** One way to sign in to an agent. */
export type AuthMethod =
  | 'api_key'
  | 'oauth'
  | 'oauth_device'
  | 'browser_login'
  | 'token_file'
  | 'keychain'
  | 'github_token'
  | 'config_file'
  | 'none'

/** What the sign-in check found. */
export type AuthStatus = 'authenticated' | 'unauthenticated' | 'expired' | 'unknown'

/** Whether credentials are *present*. Whether the provider still accepts them cannot be known from outside. */
export interface AuthState {
  agent: AgentName
  status: AuthStatus
  method?: AuthMethod
  /** Never the secret: an account name, or the first eight characters of a key. */
  identity?: string
  expiresAt?: number
  checkedAt: number
  details?: string
}

/** How to sign in to an agent, step by step. */
export interface AuthSetupGuidance {
  agent: AgentName
  providerName: string
  steps: { step: number; description: string; command?: string; url?: string }[]
  envVars: { name: string; description: string; required: boolean; exampleFormat?: string }[]
  documentationUrls: string[]
  platformNotes?: string
  loginCommand?: string
  verifyCommand?: string
}
