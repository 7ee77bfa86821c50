import type { ToolKind } from '@agentclientprotocol/sdk/unstable'
import type { Effect, OwnFileRequest } from '../../../contract/dialogue.ts'
import type { ApprovalMode, RunOptions, SystemPromptMode, ThinkingEffort } from '../../../contract/run-options.ts'
import type { ExitWords } from '../../../core/exit.ts'
import type { JsonRecord } from '../../../core/json.ts'
import type { UsageCounts } from '../../../core/usage.ts'
import type { RetrySign } from '../../kit/retry-log.ts'

/** What a turn was, as the agent itself has written it down. */
export interface TurnEvidence {
  /** Distinguishes this turn from the one before. */
  turn: string
  /** Of each request; of the model of the run where none is named. */
  usage: readonly { counts: UsageCounts; model?: string }[]
  /** What the model has said since its last tool call, as the agent has kept it. */
  answer?: string
  /** It ended well, it says, and no words of the model since the prompt or its last tool call were kept. */
  isUnanswered?: boolean
  /** Why it failed, where the protocol calls that a success. */
  failure?: string
  /** The failure in full, where the protocol reports only a part of its error. */
  error?: readonly Effect[]
}

/** Where an agent writes its turns down, for one that says less by the protocol. */
export interface TurnRecord {
  file(sessionId: string): OwnFileRequest
  /** Null: the last turn has not been written to its end yet. `result` is the answer to its prompt, if there was one. */
  read(text: string, result: JsonRecord): TurnEvidence | null
  /** Whether a turn with this answer that leaves no record is one on whose response the agent has given up. */
  hasGivenUp?(result: JsonRecord): boolean
}

/** What a log says: another try, or how a call of a tool has ended, `error` where it failed. */
export type LogSign = { retry: RetrySign } | { ended: { toolName: string; error?: string } }

/** What is special about one agent's ACP. All of it is data; an empty profile is an agent that keeps to the protocol. */
export interface AcpProfile {
  /** Arguments that make the CLI speak ACP. */
  args: readonly string[]
  /** Set in every run: no updates, no telemetry. */
  env?: Readonly<Record<string, string>>
  /** The flag that chooses the model, where the protocol cannot. */
  modelFlag?: string
  /** In place of a model that it does not list the agent takes another one, without a word. */
  replacesModels?: boolean
  /** The agent's own name for the model of an endpoint that it was started with; the protocol cannot choose that one. */
  endpointModel?: string
  /** The agent's own ids of models, where they name the provider as well. */
  modelNames?: { native(model: string, options: RunOptions): string; plain(modelId: string): string }
  /** A session goes on at the endpoint that it was begun at, until its model is set. */
  sessionsKeepEndpoint?: boolean
  /** Its resume opens a new session where there is none; its load answers with nothing then. */
  resumesByLoad?: boolean
  /** The variable that sets the thinking effort, where the protocol cannot. */
  effortVariable?: string
  /** The option of a session that limits the requests of a turn. The agent need not list it. */
  maxTurnsOption?: string
  /** The agent's own mode for an approval mode. Without one it keeps its own, and we answer what it asks. */
  modes?: Partial<Record<ApprovalMode, string>>
  /**
   * Its usage is written down late: with a budget it runs in this mode in place of that for yolo, in which it asks for
   * every call that matters, and we allow each once the request that has led to it is counted.
   */
  metered?: { mode?: string }
  /** The agent's own words for an effort; without them the same word. */
  efforts?: Partial<Record<ThinkingEffort, string>>
  /** Methods to authenticate with when the agent asks for that. Only such as need nobody in front of a screen. */
  authMethods?: readonly string[]
  /** Words of an error that means that there are no credentials. */
  authWords?: RegExp
  /** A call whose input is shown is known in full as it begins. */
  startsWhole?: boolean
  /** What to do without credentials. */
  guidance?: string
  /** Where the name of a tool is: the first title, or the protocol's kind of the call (default). */
  toolName?: 'title' | 'kind'
  /** The kinds of tools, by name, that the agent calls commands and that are none. */
  toolKinds?: Readonly<Record<string, ToolKind>>
  /** The agent's own name of a tool, where only a title in words is sent. */
  nameInTitle?(title: string): string | undefined
  /**
   * Its requests for a permission name calls of their own: what such a call is about, as the input of the open call that
   * waits for the answer. Null: the request names the call itself.
   */
  permittedInput?(call: JsonRecord): JsonRecord | null
  /** The agent's own name of a tool, where the id of each call begins with it: the first group. */
  nameInId?: RegExp
  /** The agent cannot live with our answer that a file is not there, so it is to use the disk itself. */
  withoutHostFiles?: boolean
  /** The agent runs its commands itself, by its own rules of what needs to be asked. */
  withoutHostTerminals?: boolean
  /** The adapter gives the MCP servers to the CLI as it starts, not by the protocol. */
  mcpByFlag?: boolean
  /** Fields of `_meta` by which a new session takes a system prompt; without one it is a block before the first prompt. */
  systemPromptMeta?: Partial<Record<SystemPromptMode, string>>
  /** A field that only calls for a sub-agent have in their input. Until such a call ends, the words are the sub-agent's. */
  subagentInput?: string
  /** The agent's one tool that calls all MCP tools, and the fields of its input that name the tool and hold its input. */
  mcpDispatcher?: { tool: string; name: string; input: string }
  /** The input of a call that its title and text give in full, where the agent reports it nowhere else. */
  titledInput?(call: { toolName: string; title: string; text: string }): JsonRecord | undefined
  /** Variables, as `NAME=value`, that the agent sets for each of its commands and that do not change what they do. */
  harmlessVariables?: RegExp
  /** Tools that give work to a sub-agent. */
  subagentTools?: readonly string[]
  /** The result of a call for a sub-agent that goes on in the background. */
  backgroundOutput?: RegExp
  /** What a raw output says in words, where the agent shows none. */
  outputText?(raw: JsonRecord): string | undefined
  /** Output of a call that did not run to its end, where the agent says that it was completed. */
  failedOutput?: RegExp
  /** The error of a call that the agent's own rules forbid. */
  deniedError?: RegExp
  /** What a command printed and its exit code, where the agent shows them in words of its own. Null: it does not. */
  shellResult?(shown: string): { output: string; exitCode?: number } | null
  /** What the agent itself adds to the output of a command. */
  shellNoise?: RegExp
  /** What the agent itself adds to the thoughts of the model. */
  thoughtNoise?: RegExp
  /**
   * What `usage` in the answer to a prompt counts: that turn (default), all since the process began, or the whole
   * session. Of a session each `usage_update` has the same counts in its `_meta`, and the first comes as it is opened.
   */
  usageScope?: 'turn' | 'process' | 'session'
  /** A notice of the agent's own, and its update, that report what each request of a turn has used. */
  requestUsage?: { method: string; update: string }
  /** The answer to a prompt without counts ends a turn that failed: why is what was said last. Slash commands have none. */
  failsWithoutUsage?: boolean
  /** What a line of its log, on stderr, says that the protocol does not. */
  logSign?(line: string): LogSign | null
  /** The ends of some calls are not reported: such a call is over when the model speaks again, or the turn ends. */
  hidesEnds?: boolean
  /** Words of the agent that are an error. */
  errorText?: readonly RegExp[]
  /** Text of the agent that is not part of the answer: notices to the user. */
  noticeText?: readonly RegExp[]
  /** Words of the agent that report a compaction: its groups are the tokens before and after. */
  compactedText?: RegExp
  /** Words of the agent that report another try. */
  retryText?: RegExp
  /** A notice of the agent's own that reports another try, with its reason in `detail`. */
  retryNotice?: string
  /** Methods and session updates of the agent's own that say nothing. Those that begin with `_` need no mention. */
  ignored?: readonly string[]
  /** The history of a loaded session goes on after the answer to `session/load`, up to this update. */
  replayEndsWith?: string
  /** The agent repeats each prompt; in a recording of the agent alone that would look like the history of a session. */
  echoesPrompt?: boolean
  /** The agent connects the MCP servers of a run in the background, and says with this notice that it has tried all. */
  mcpReady?: string
  /** The agent's own record of its turns: read at the end of each, because the protocol does not report all of it. */
  turnRecord?: TurnRecord
  /** What the CLI says on stderr before it leaves without an answer. */
  exitWords?: readonly ExitWords[]
}

/** What the agent may do waits until what it has used is counted. */
export function isMetered({ metered }: AcpProfile, { approvalMode, maxCostUsd }: RunOptions): boolean {
  return metered !== undefined && maxCostUsd !== undefined && approvalMode === 'yolo'
}
