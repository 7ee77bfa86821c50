import { isAcpName } from '../../adapters/families/acp/generic.ts'
import { isAgentMuxError } from '../../contract/errors.ts'
import type { AgentMuxClient } from '../../mux/client.ts'
import { usageError } from '../command.ts'

export interface PromptWords {
  words: readonly string[]
  agentFlag?: string
  promptFlag?: string
  hasDefaultAgent: boolean
  isAgent(name: string): boolean
}

export interface AgentAndPrompt {
  /** Undefined: the default one. A name that no adapter has is refused by the registry, with a suggestion. */
  agent?: string
  /** The text given, if any. */
  text?: string
  /** The prompt, or its last part, comes from standard input. */
  readsStdin: boolean
}

/** Whether a word is an agent: one that is registered, a command line, or a name from the user's settings. */
export function namesAgent({ adapters }: AgentMuxClient, word: string): boolean {
  if (isAcpName(word)) return true
  try {
    adapters.capabilities(word)
    return true
  } catch (error) {
    if (isAgentMuxError(error) && error.code === 'UNKNOWN_AGENT') return false
    throw error
  }
}

/** Separates the agent from the prompt: `amux run [agent] [prompt…]`, either of which may also be a flag. */
export function splitPrompt({ words, agentFlag, promptFlag, hasDefaultAgent, isAgent }: PromptWords): AgentAndPrompt {
  const { agent, rest } = takeAgent(words, { agentFlag, hasDefaultAgent, isAgent })
  if (promptFlag !== undefined && rest.length > 0) {
    throw usageError(`Two prompts: --prompt and "${rest.join(' ')}"`, 'Give one of them.')
  }
  const parts = promptFlag === undefined ? rest : [promptFlag]
  const readsStdin = parts.at(-1) === '-'
  const text = (readsStdin ? parts.slice(0, -1) : parts).join(' ')
  return { agent, text: text.trim() === '' ? undefined : text, readsStdin }
}

function takeAgent(
  words: readonly string[],
  { agentFlag, hasDefaultAgent, isAgent }: Pick<PromptWords, 'agentFlag' | 'hasDefaultAgent' | 'isAgent'>,
): { agent?: string; rest: readonly string[] } {
  if (agentFlag !== undefined) return { agent: agentFlag, rest: words }
  const [first, ...rest] = words
  if (first !== undefined && isAgent(first)) return { agent: first, rest }
  if (hasDefaultAgent) return { rest: words }
  // Several words where the first has no blank can only be a mistyped agent; one sentence is a prompt without agent.
  if (first !== undefined && first !== '-' && !/\s/.test(first)) return { agent: first, rest }
  throw usageError(
    'Which agent? Name one before the prompt, such as: claude "…"',
    'AGENT_MUX_DEFAULT_AGENT sets a default; `amux agents` lists them.',
  )
}
