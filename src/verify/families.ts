import type { AgentName } from '../contract/names.ts'

/**
 * Agents that are driven by the same code. The first member that claims a check stands for the others in the checks of
 * `ONCE_A_FAMILY`. An agent that is not listed has code of its own and takes every check.
 */
export const families: Readonly<Record<string, readonly AgentName[]>> = {
  acp: ['copilot', 'gemini', 'grok', 'kimi'],
  'claude-stream': ['claude', 'qwen'],
  opencode: ['opencode', 'kilo', 'opencode-http'],
  pi: ['pi', 'omp'],
}

/** Adapters for one and the same program: its files, hooks, commands and screen are proven by the first of them. */
export const samePrograms: readonly (readonly AgentName[])[] = [['opencode', 'opencode-http']]

/** Why one agent is enough for a check, and in which families; in all of them without a list. */
export interface Shared {
  because: string
  in?: readonly string[]
}

const ONE_DIALOGUE = ['claude-stream', 'opencode', 'pi']
const STRUCTURED: Shared = {
  because: 'the family reads the status from a field; `401`, `429`, `500` prove it',
  in: ONE_DIALOGUE,
}
const ONE_SHOT: Shared = { because: 'both forms speak one dialogue; the live form proves the words', in: ONE_DIALOGUE }
const MCP: Shared = { because: 'the family writes the server down; `mcp` proves the way in', in: ['acp', 'opencode'] }

/**
 * Checks whose result is decided by code that the members of a family share. Everything else is the adapter's own (its
 * flags, its records, the words of its failures, its store, its screen) and runs for each agent.
 */
export const ONCE_A_FAMILY: Readonly<Record<string, Shared>> = {
  tools: { because: 'the dialogue of the family pairs calls and results; `tool` proves the names' },
  long: { because: 'the dialogue of the family joins the pieces; `text` proves them' },
  abort: { because: 'the engine ends the process group; `abort-tool` proves it with a child process' },
  'multi-prompt': { because: 'the prompt goes over the wire of the family' },
  handoff: { because: 'the text is made by shared code and is the prompt of an ordinary run' },
  managed: { because: 'the daemon sees events only; `multi-turn`, `approve` and `resume` prove them' },
  'terminal-restore': { because: 'the daemon starts it as `terminal-resume` does' },
  'mcp-http': MCP,
  'mcp-sse': MCP,
  attachments: { because: 'ACP has one form for them', in: ['acp'] },
  '403': STRUCTURED,
  '404-model': STRUCTURED,
  // Qwen calls it a rate limit.
  overloaded: { ...STRUCTURED, in: ['opencode', 'pi'] },
  'one-shot-429': ONE_SHOT,
  'one-shot-credit': ONE_SHOT,
  'one-shot-context': ONE_SHOT,
}

/** Checks of the program itself, whichever adapter drives it. */
export const ONCE_A_PROGRAM: Readonly<Record<string, Shared>> = {
  'session-file': { because: 'one store, one reader' },
  'session-tail': { because: 'one store, one reader' },
  'usage-subagent': { because: 'one store, one reader' },
  hooks: { because: 'one hook plan' },
  'hooks-others': { because: 'one hook plan' },
  plugins: { because: 'one set of subcommands' },
  models: { because: 'one set of subcommands' },
  'quota-question': { because: 'one set of subcommands' },
}

/** Who stands for this agent in a check; undefined when it speaks for itself. */
export function standIn(
  agent: AgentName,
  check: string,
  claims: (agent: AgentName, check: string) => boolean,
): AgentName | undefined {
  const group = groupsOf(check).find((members) => members.includes(agent))
  const first = group?.find((member) => claims(member, check))
  return first === agent ? undefined : first
}

function groupsOf(check: string): (readonly AgentName[])[] {
  const shared = ONCE_A_FAMILY[check]
  const names = shared ? (shared.in ?? Object.keys(families)) : []
  return [...names.map((name) => families[name] ?? []), ...(ONCE_A_PROGRAM[check] ? samePrograms : [])]
}

/** Whether an older form of an agent leaves a check to the newer one. */
export function isSharedWithNewer(agent: AgentName, check: string): boolean {
  return groupsOf(check).some((members) => members.includes(agent))
}
