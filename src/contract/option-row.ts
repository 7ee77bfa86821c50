import type { OutputSchema } from './output-schema.ts'
import type { Policy } from './policy.ts'
import type {
  Attachment,
  EndpointOverride,
  InvocationMode,
  McpServerConfig,
  ModelPrice,
  RetryPolicy,
  RunOptions,
} from './run-options.ts'

/** What a value can be. Each kind has one check (engine), one API schema (contract/api) and one flag reader (cli). */
export interface OptionKinds {
  /** Not empty. */
  text: string
  /** Not empty, and not what a CLI would take for a flag. */
  word: string
  string: string
  /** A string; its flag names a file. */
  document: string
  prompt: string | string[]
  profileName: string
  ulid: string
  directory: string
  boolean: boolean
  choice: string | boolean
  integer: number
  number: number
  /** Milliseconds; 0 means no limit. */
  duration: number
  strings: string[]
  /** A list of directories. */
  paths: string[]
  variables: Record<string, string>
  record: Record<string, unknown>
  /** A JSON schema or a Standard Schema; its flag takes a file or JSON. */
  schema: OutputSchema
  attachments: Attachment[]
  mcpServers: McpServerConfig[]
  endpoint: EndpointOverride
  retryPolicy: RetryPolicy
  price: ModelPrice
  /** A policy, or the path of its file: absolute, or below `~/`. Its flag takes any path. */
  policy: string | Policy
  invocation: InvocationMode
  callback: (...args: never[]) => unknown
  signal: AbortSignal
}

export type OptionKind = keyof OptionKinds

/** A flag of the command line. `type`, `short` and `multiple` are those of `util.parseArgs`; the rest is for help. */
export interface Flag {
  type: 'string' | 'boolean'
  short?: string
  multiple?: boolean
  /** The placeholder of the value in help: `--model ID`. */
  value?: string
  about: string
  /** Heading below which help lists the flag. */
  group?: string
  /** For completions; the command checks values itself. */
  choices?: readonly string[]
}

export interface OptionFlag extends Flag {
  /** A boolean flag that stands for one value of the option. */
  sets?: string | boolean
}

/**
 * Where an option can be given, besides in `run`. `daemon`: to a managed session. `profile`: in a profile. `settings`: in
 * `config.json` and `createClient`, for every run. `remote`: handed on to another agent-mux.
 */
export type OptionPlace = 'daemon' | 'profile' | 'settings' | 'remote'

/**
 * What the settings and profiles of a project may do with it. `free`: any value. `narrows`: only a value that allows no
 * more than the user's own; the values of a choice are listed from narrow to wide. `widens`: nothing, until the user
 * trusts the project.
 */
export type ProjectRule = 'free' | 'narrows' | 'widens'

type KindOf<Value> = { [Kind in OptionKind]: [Value] extends [OptionKinds[Kind]] ? Kind : never }[OptionKind]

export interface OptionRow {
  kind: OptionKind
  choices?: readonly unknown[]
  min?: number
  max?: number
  flags?: Readonly<Record<string, OptionFlag>>
  at: readonly OptionPlace[]
  project: ProjectRule
  /** May hold a secret: it is never written to disk. */
  secret?: true
  /** Why a terminal refuses it, as advice. */
  terminal?: string
  /** For the API's document. */
  about?: string
}

/** One row for each run option, of the kind that its type asks for: no row, or a wrong one, does not compile. */
export type OptionTable = { readonly [Name in keyof RunOptions]-?: RowFor<NonNullable<RunOptions[Name]>> }

interface RowFor<Value> extends OptionRow {
  kind: KindOf<Value>
  choices?: readonly Value[]
}
