import type { EndpointOverride, EndpointProtocol, RunOptions } from '../../contract/run-options.ts'

/** How far the real CLI of an agent goes whose models need an account. */
export interface Account {
  speaksAcp?: boolean
  /** Flags that work although the help does not list them. */
  hiddenFlags?: readonly string[]
  /** What must come before such a flag for the CLI to say whether it knows it. */
  probeArgs?: readonly string[]
}

/** What the suite must know of an agent to put it on the scripted server. */
export interface Subject {
  protocol: EndpointProtocol
  /** The model of most checks; without one, the agent's default. */
  model?: string
  alternativeModel: string
  /** What the agent calls its shell; `Bash` without. */
  shellTool?: string
  /** How a request shows that the effort is high, where it does not say the word. */
  highEffort?: string
  /** For an agent that needs no key on an endpoint of its own: the options of a run that lacks credentials. */
  keyless?: Partial<RunOptions>
  env: Record<string, string>
  /** Variables for folders that runs share, by their name in our cache: what would be made again in each scratch home. */
  cacheEnv?: Record<string, string>
  /**
   * Lets it start sooner, by a process less. Only where a run is looked at for
   * what it says: not where the agent is ended by force, on its screen or under the daemon.
   */
  soonerEnv?: Record<string, string>
  /** Contents of files below its scratch home. */
  files?: Record<string, object | string>
  /** The same of a user who has set models up, for an agent that reports no others. */
  modelFiles?: Record<string, object | string>
  /** The same for its own screen: what is there once somebody has started it. */
  screenFiles?: Record<string, object | string>
  /** What a person presses in its permission dialog to deny, one after another, where that is not Escape alone. */
  denyKeys?: readonly string[]
  /** For an agent whose own retries take longer than that of others. */
  timeoutMs?: number
  /** What its hooks do not say. */
  unreportedByHooks?: readonly ('title' | 'summary')[]
  /** How a user starts it who has set the endpoint up in files, where the forms that we start run no hooks. */
  ownForm?: { files(endpoint: EndpointOverride): Record<string, object>; args: string[] }
  /** Its models cannot be played by the scripted server: other checks are made instead. */
  account?: Account
  /** The name that a session file of yesterday would have, for an agent that endangers those when it resumes them. */
  agedSession?: (name: string) => string
  /** It reports and writes down what a request has used when the tools of that request have run, not before. */
  usageAfterTools?: boolean
  /** A session goes on in a copy, which takes its place at the end: turns of a restored terminal are not seen. */
  resumesOnCopy?: boolean
  /** A call that was refused on its screen is taken out of the conversation: the model does not hear of it. */
  forgetsRefusedCalls?: boolean
  /** The variables of a user who has set the endpoint up himself, for a one-shot form that we cannot point elsewhere. */
  ownEndpoint?: (endpoint: EndpointOverride) => Record<string, string>
}

/** The options of a run without credentials, for an agent that takes any provider. */
export const KEYLESS: Partial<RunOptions> = { endpoint: undefined, model: 'anthropic/claude-sonnet-5' }

/** For an agent whose models need an account: the server is there, and is never asked. */
export const NO_MODEL = { protocol: 'openai-chat', alternativeModel: '', env: {}, timeoutMs: 150_000 } as const
