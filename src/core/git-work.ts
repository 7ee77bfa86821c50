import type { AgentEvent } from '../contract/events.ts'
import type { GitWork, PullRequest } from '../contract/git-work.ts'
import { asString, isRecord } from './json.ts'

export const NO_GIT_WORK: GitWork = { branch: null, commits: [], pullRequests: [] }

const MOST_COMMITS = 50
const MOST_PULL_REQUESTS = 20
const MOST_OPEN = 50
/** What matters is at the end of what a command prints. */
const MOST_CHARACTERS = 16 * 1024

/** A command that an agent has run, and what it printed. */
export interface RanCommand {
  command: string
  output: string
  failed: boolean
}

/** `https://github.com/owner/repo/pull/12`, on any host; GitLab, Gitea and Bitbucket have words of their own for it. */
const LINK =
  /https?:\/\/[^\s/"'<>]+\/[^\s"'<>]+?\/(?:pull|pulls|pull-requests|-\/merge_requests|merge_requests)\/(\d+)\b/g
/** What a server says to a push when there is one, or it has made one: "View merge request for topic:". */
const SERVED = /^remote:\s+(?:View|Visit the existing) (?:merge|pull) request[^\n]*(?:\nremote:\s*)+http[^\n]*/gim
/** Its address in the API is beside it. */
const ANSWERED = /"html_url":\s*"([^"]+)"/
/** `[main 1a2b3c4] Fix it`, `[main (root-commit) 1a2b3c4] First`, `[detached HEAD 1a2b3c4] x`. */
const COMMIT = /^\[(?<branch>[^\s\]]+|detached HEAD)(?: \(root-commit\))? (?<hash>[0-9a-f]{7,40})\] (?<subject>.*)$/gm
const SWITCHED = /^Switched to (?:a new )?branch '([^']+)'/gm
const PUSHED = /^ [*+ ]\s.*?(\S+) -> (\S+)\s*$/gm

/** What may come before a program: variables, and programs that start another one. */
const BEFORE = /^(?:(?:\w+=\S*|env|sudo|time|command|exec|nohup|timeout(?: -\S+)* \S+|\{|!)\s+)+/

/** The program that each part of a command line starts, with its words: `cd x && git commit -m y` has two. */
function parts(command: string): string[][] {
  return command
    .split(/&&|\|\||\$\(|[;\n|(`]/)
    .map((part) => part.trim().replace(BEFORE, ''))
    .map((part) => part.match(/"[^"]*"|'[^']*'|\S+/g) ?? [])
    .filter((words) => words.length > 0)
}

/** The words of a part that starts this program with these verbs, without the options before them. */
function runs(command: string, program: string, ...verbs: string[]): string[] | undefined {
  for (const [name = '', ...words] of parts(command)) {
    if (name.replace(/^.*\//, '') !== program) continue
    let first = 0
    while (words[first]?.startsWith('-')) first += /^(-[cCR]|--repo)$/.test(words[first] ?? '') ? 2 : 1
    if (verbs.every((verb, at) => words[first + at] === verb)) return words.slice(first)
  }
  return undefined
}

/** The word after one of these options. */
function wordAfter(words: readonly string[] | undefined, options: RegExp): string | undefined {
  const at = words?.findIndex((word) => options.test(word)) ?? -1
  const value = at < 0 ? undefined : words?.[at + 1]
  return value && unquoted(value)
}

/**
 * What is known of the git work of a session after a command. Only what a command itself printed counts: a link in a text,
 * or a command that only lists pull requests, makes none.
 */
export function afterCommand(work: GitWork, { command, output, failed }: RanCommand): GitWork {
  let next = work
  if (runs(command, 'git', 'commit') || runs(command, 'git', 'cherry-pick') || runs(command, 'git', 'revert')) {
    next = withCommits(next, output)
  }
  if (failed) return next
  const branch = branchAfter(command, output)
  if (branch !== undefined) next = { ...next, branch }
  const made = linksIn(madeBy(command, output)).at(-1)
  if (made) next = withPullRequest(next, { ...made, state: 'open' })
  for (const [verb, state] of CHANGES) {
    const words = runs(command, 'gh', 'pr', verb) ?? runs(command, 'glab', 'mr', verb)
    if (words) next = withState(next, words, state)
  }
  return next
}

const CHANGES = [
  ['merge', 'merged'],
  ['close', 'closed'],
  ['reopen', 'open'],
] as const

/** The part of an output whose last link is the pull request that the command has made. */
function madeBy(command: string, output: string): string {
  const makes = ['create', 'new'].some((verb) => runs(command, 'gh', 'pr', verb) ?? runs(command, 'glab', 'mr', verb))
  // Its address is the last line.
  if (makes) return output
  const asked = runs(command, 'gh', 'api')
  if (asked?.some((word) => /\/pulls["']?$/.test(word)) && asked.some((word) => SENDS.test(word))) {
    return ANSWERED.exec(output)?.[1] ?? ''
  }
  return runs(command, 'git', 'push') ? (output.match(SERVED) ?? []).join('\n') : ''
}

/** An option of `gh api` without which it only reads. */
const SENDS = /^(-f|-F|--field|--raw-field|--input|POST|-XPOST|--method=POST)$|^--(raw-)?field=|^--input=/

function withCommits(work: GitWork, output: string): GitWork {
  let { branch, commits } = work
  for (const { groups } of output.matchAll(COMMIT)) {
    const { branch: on = '', hash = '', subject = '' } = groups ?? {}
    if (on !== 'detached HEAD') branch = on
    if (!commits.some((one) => one.hash === hash)) commits = [...commits, { hash, subject }].slice(-MOST_COMMITS)
  }
  return { ...work, branch, commits }
}

function branchAfter(command: string, output: string): string | undefined {
  const branch = [...output.matchAll(SWITCHED)].at(-1)?.[1]
  if (branch !== undefined && (runs(command, 'git', 'checkout') || runs(command, 'git', 'switch'))) return branch
  const made =
    wordAfter(runs(command, 'git', 'checkout'), /^-[bB]$/) ??
    wordAfter(runs(command, 'git', 'switch'), /^(-[cC]|--create)$/) ??
    wordAfter(runs(command, 'git', 'worktree', 'add'), /^-[bB]$/)
  if (made !== undefined) return made
  // To where a push went: `* [new branch]  topic -> topic`.
  if (runs(command, 'git', 'push')) return [...output.matchAll(PUSHED)].at(-1)?.[1]
  return undefined
}

function linksIn(output: string): Pick<PullRequest, 'url' | 'number'>[] {
  return [...output.matchAll(LINK)].map(([url, number]) => ({ url, number: Number(number) }))
}

function withPullRequest(work: GitWork, made: PullRequest): GitWork {
  const others = work.pullRequests.filter(({ url }) => url !== made.url)
  return { ...work, pullRequests: [...others, made].slice(-MOST_PULL_REQUESTS) }
}

/** `gh pr merge 12`, by its number, its address, or without one: that of the branch, which is the newest. */
function withState(work: GitWork, words: readonly string[], state: PullRequest['state']): GitWork {
  const which = words.slice(2).find((word) => !word.startsWith('-'))
  const isMeant = ({ url, number }: PullRequest, at: number, all: readonly PullRequest[]) =>
    which === undefined ? at === all.length - 1 : url === which || String(number) === which
  return {
    ...work,
    pullRequests: work.pullRequests.map((one, at, all) => (isMeant(one, at, all) ? { ...one, state } : one)),
  }
}

function unquoted(word: string): string {
  return word.replace(/^(["'])(.*)\1$/, '$2')
}

/** Commands that run, by their call. Plain data, to be kept with a session. */
export type OpenCommands = Record<string, { command: string; output: string }>

/** Follows the calls of tools: which commands run after an event, and the one that it has ended. */
export function followCommands(open: OpenCommands, event: AgentEvent): { open: OpenCommands; ran: RanCommand | null } {
  switch (event.type) {
    case 'tool_call_ready': {
      const command = commandOf(event.input)
      const matters = command !== undefined && mayMatter(command)
      return { open: matters ? withCommand(open, event.toolCallId, command) : open, ran: null }
    }
    case 'shell_stdout_delta':
    case 'shell_stderr_delta': {
      const known = open[event.toolCallId ?? '']
      if (!known || event.toolCallId === undefined) return { open, ran: null }
      const output = (known.output + event.delta).slice(-MOST_CHARACTERS)
      return { open: { ...open, [event.toolCallId]: { ...known, output } }, ran: null }
    }
    case 'tool_result':
      return endCommand(open, event.toolCallId, textIn(event.output), false)
    case 'tool_error':
      return endCommand(open, event.toolCallId, event.error, true)
    // No command outlives its turn in what we know.
    case 'turn_start':
      return { open: {}, ran: null }
    default:
      return { open, ran: null }
  }
}

/** They are kept with the session, so that the oldest are forgotten where an agent leaves many open. */
function withCommand(open: OpenCommands, toolCallId: string, command: string): OpenCommands {
  const newest = Object.entries(open).slice(1 - MOST_OPEN)
  return { ...Object.fromEntries(newest), [toolCallId]: { command: command.slice(0, MOST_CHARACTERS), output: '' } }
}

function endCommand(open: OpenCommands, toolCallId: string, printed: string, failed: boolean) {
  const { [toolCallId]: known, ...rest } = open
  if (!known) return { open, ran: null }
  const output = printed.includes(known.output) ? printed : `${known.output}\n${printed}`
  return { open: rest, ran: { command: known.command, output, failed } }
}

function mayMatter(command: string): boolean {
  return /\b(git|gh|glab)\b/.test(command)
}

/** What a tool was to run, by the names that agents have for it. */
export function commandOf(input: unknown): string | undefined {
  if (!isRecord(input)) return undefined
  const { command, cmd, script } = input
  const given = command ?? cmd ?? script
  if (Array.isArray(given)) {
    const words = given.flatMap((word) => asString(word) ?? [])
    // `["bash", "-lc", "git commit"]`
    return words.length === 3 && /^-\w*c$/.test(words[1] ?? '') ? words[2] : words.join(' ')
  }
  return asString(given)
}

/** All text that is in an output, whatever form the agent gives it. */
export function textIn(output: unknown): string {
  if (typeof output === 'string') return output
  if (Array.isArray(output)) return output.map(textIn).join('\n')
  if (isRecord(output)) return Object.values(output).map(textIn).filter(Boolean).join('\n')
  return ''
}
