import type { GitWork, PullRequest } from '../contract/git-work.ts'
import { commandsIn, hasLoop, withoutOptions } from './shell-commands.ts'
import { withoutEscapes } from './stderr.ts'

export const NO_GIT_WORK: GitWork = { branch: null, commits: [], pullRequests: [] }

const MOST_COMMITS = 50
const MOST_PULL_REQUESTS = 20

/** A command that an agent has run, and what it printed. */
export interface RanCommand {
  command: string
  output: string
  failed: boolean
}

/** `https://github.com/owner/repo/pull/12`, on any host; GitLab, Gitea and Bitbucket have words of their own for it. */
const LINK =
  /https?:\/\/[^\s/"'<>]+\/[^\s"'<>]+?\/(?:pull|pulls|pull-requests|pullrequest|-\/merge_requests|merge_requests)\/(\d+)\b/g
const LONELY = new RegExp(`^\\s*${LINK.source}\\s*$`, 'gm')
/** What a server says to a push when there is one, or it has made one: "View merge request for topic:". */
const SERVED = /^remote:\s+(?:View|Visit the existing) (?:merge|pull) request[^\n]*(?:\nremote:\s*)+http[^\n]*/gim
/** What `gh` says to one that was made before, and fails. */
const EXISTS = /already exists:?\s*https?:\S+/g
/** The address for people, in an answer of the API of GitHub or GitLab. That in the API is beside it. */
const ANSWERED = /"(?:html_url|web_url)":\s*"([^"]+)"/
/** `[main 1a2b3c4] Fix it`, `[main (root-commit) 1a2b3c4] First`, `[detached HEAD 1a2b3c4] x`, in any language. */
const COMMIT = /^\[(?<branch>[^\]\n]+?)(?: \([^)\n]*\))? (?<hash>[0-9a-f]{7,40})\] (?<subject>.*)$/gm
const SWITCHED = /^(?:Switched to (?:a new )?branch|Already on) '([^']+)'/gm
/** To where a push went: ` * [new branch]  HEAD -> topic`, ` + 1a2b3c4...5d6e7f8 topic -> topic (forced update)`. */
const PUSHED = /^ [*+ ] (?!\[new tag\])(?:\[[^\]]*\]|\S+\.\.\S+)\s+\S+ -> (\S+)(?: \([^)]*\))?\s*$/gm

type Commands = readonly (readonly string[])[]

/** Options of the programs themselves that take a value. */
const VALUED: Readonly<Record<string, RegExp>> = {
  git: /^(-[cC]|--(git-dir|work-tree|namespace|exec-path|config-env))$/,
  gh: /^(-R|--repo|--hostname)$/,
  glab: /^(-[Rg]|--repo|--group)$/,
}

/** What follows these verbs, for each command that starts this program with them. */
function runs(commands: Commands, program: string, ...verbs: string[]): string[][] {
  return commands.flatMap(([name, ...given]) => {
    if (name !== program) return []
    let words = given
    for (const verb of verbs) {
      words = withoutOptions(words, VALUED[program])
      if (words.shift() !== verb) return []
    }
    return [words]
  })
}

/**
 * What is known of the git work of a session after a command. Only what a command itself printed counts: a link in a text,
 * or a command that only lists pull requests, makes none.
 */
export function afterCommand(work: GitWork, { command, output: printed, failed }: RanCommand): GitWork {
  const commands = commandsIn(command)
  const output = withoutEscapes(printed)
  let next = withCommits(work, commands, output, hasLoop(command))
  const branch = branchAfter(commands, output, failed)
  if (branch !== undefined) next = { ...next, branch }
  for (const made of madeBy(commands, output.replace(EXISTS, ''), hasLoop(command))) {
    next = withPullRequest(next, { ...made, state: 'open' })
  }
  if (failed) return next
  for (const [verb, state] of CHANGES) {
    for (const words of [...runs(commands, 'gh', 'pr', verb), ...runs(commands, 'glab', 'mr', verb)]) {
      next = withState(next, words, state)
    }
  }
  return next
}

const CHANGES = [
  ['merge', 'merged'],
  ['close', 'closed'],
  ['reopen', 'open'],
] as const

const MAKERS = [
  ...(['create', 'new'] as const).flatMap((verb) => [
    ['gh', 'pr', verb],
    ['glab', 'mr', verb],
    ['tea', 'pr', verb],
    ['tea', 'pulls', verb],
  ]),
  ['hub', 'pull-request'],
]

type Link = Pick<PullRequest, 'url' | 'number'>

/** The pull requests that commands have made. */
function madeBy(commands: Commands, output: string, isLoop: boolean): Link[] {
  const makers = MAKERS.flatMap(([program = '', ...verbs]) => runs(commands, program, ...verbs)).filter(
    (words) => !words.includes('--dry-run'),
  )
  if (makers.length > 0) return ofMakers(output, isLoop ? Number.POSITIVE_INFINITY : makers.length, commands)
  if (commands.some(asksToMake)) return answerIn(output)
  return runs(commands, 'git', 'push').length > 0 ? linksIn((output.match(SERVED) ?? []).join('\n')).slice(-1) : []
}

/** Each prints its address in a line of its own, last. What comes after may print others. */
function ofMakers(output: string, most: number, commands: Commands): Link[] {
  const lonely = unique(linksIn(output, LONELY))
  if (lonely.length === 0) return answerIn(output)
  const last = commands.findLast(([name, noun]) => name === 'gh' && noun === 'pr')
  const isFollowed = last !== undefined && !last.includes('create') && !last.includes('new')
  return isFollowed ? lonely.slice(0, most) : lonely.slice(-Math.min(most, lonely.length))
}

/** A request to the API of GitHub or GitLab that makes one: by its address, and by what it sends. */
function asksToMake([name = '', ...words]: readonly string[]): boolean {
  if (name !== 'curl' && !(name === 'gh' && words.includes('api')) && !(name === 'glab' && words.includes('api')))
    return false
  if (words.some((word) => word.includes('createPullRequest'))) return true
  const methods = words.flatMap((word, at) => METHOD.exec(word)?.[1] ?? (/^(-X|--method|--request)$/.test(word) ? words[at + 1] : []) ?? []) // biome-ignore format: one line
  const isSent = methods.length > 0 ? methods.includes('POST') : words.some((word) => SENDS.test(word))
  return isSent && words.some((word) => /\/(pulls|merge_requests)\/?$/.test(word))
}

const METHOD = /^(?:-X|--method=|--request=)(\w+)$/
/** An option without which `gh api` and `curl` only read. */
const SENDS = /^(-[fFd]|--(field|raw-field|input|json|data(-\w+)?)(=|$))/

/** The address in an answer, which may name others; alone where the caller has asked for nothing else. */
function answerIn(output: string): Link[] {
  const address = ANSWERED.exec(output)?.[1]
  return linksIn(address ?? output).slice(-1)
}

/** They print one line for each commit, after whatever hooks of the repository have printed. */
function withCommits(work: GitWork, commands: Commands, output: string, isLoop: boolean): GitWork {
  const made = runs(commands, 'git', 'commit')
  const others = ['cherry-pick', 'revert', 'merge', 'rebase'].flatMap((verb) => runs(commands, 'git', verb))
  if (made.length + others.length === 0) return work
  const printed = [...output.matchAll(COMMIT)].map(({ groups }) => ({ branch: '', hash: '', subject: '', ...groups }))
  const lines = others.length > 0 || isLoop ? printed : printed.slice(-made.length)
  return lines.reduce((known, line, at) => {
    const isAmended = lines.length === made.length && made[at]?.includes('--amend') === true
    return withCommit(known, line, isAmended)
  }, work)
}

function withCommit(
  work: GitWork,
  { branch, hash, subject }: { branch: string; hash: string; subject: string },
  isAmended: boolean,
): GitWork {
  // Of an amended one nothing is left.
  const before = isAmended && work.branch === branch ? work.commits.slice(0, -1) : work.commits
  const isKnown = before.some((one) => one.hash === hash)
  const commits = isKnown ? before : [...before, { hash, subject }].slice(-MOST_COMMITS)
  // No branch has a blank in its name: it is "detached HEAD".
  return { ...work, branch: branch.includes(' ') ? work.branch : branch, commits }
}

/** What a failed command line has printed has happened; what it was to do has perhaps not. */
function branchAfter(commands: Commands, output: string, failed: boolean): string | undefined {
  const checkouts = [...runs(commands, 'git', 'checkout'), ...runs(commands, 'git', 'switch')]
  const mayPrint = checkouts.length > 0 || runs(commands, 'gh', 'pr', 'checkout').length > 0
  const printed = mayPrint ? [...output.matchAll(SWITCHED)].at(-1)?.[1] : undefined
  if (printed !== undefined) return printed
  const made = [
    ...checkouts.map((words) => wordAfter(words, /^(-\w*[bBcC]|--create|--force-create|--orphan)$/)),
    ...runs(commands, 'git', 'worktree', 'add').map((words) => wordAfter(words, /^-[bB]$/)),
    ...runs(commands, 'git', 'branch').map((words) => (words.some((word) => /^-[mM]$|^--move$/.test(word)) ? words.at(-1) : undefined)), // biome-ignore format: one line
  ].findLast((name) => name !== undefined)
  // What stands in a variable is not known.
  if (made !== undefined && !failed && !made.includes('$')) return made
  return runs(commands, 'git', 'push').length > 0 ? [...output.matchAll(PUSHED)].at(-1)?.[1] : undefined
}

/** The word after one of these options. */
function wordAfter(words: readonly string[], options: RegExp): string | undefined {
  const at = words.findIndex((word) => options.test(word))
  return at < 0 ? undefined : words[at + 1]
}

function linksIn(output: string, form: RegExp = LINK): Link[] {
  return [...output.matchAll(form)].map(([url, number]) => ({ url: url.trim(), number: Number(number) }))
}

function unique(links: readonly Link[]): Link[] {
  return links.filter(({ url }, at) => links.findIndex((one) => one.url === url) === at)
}

function withPullRequest(work: GitWork, made: PullRequest): GitWork {
  const others = work.pullRequests.filter(({ url }) => url !== made.url)
  return { ...work, pullRequests: [...others, made].slice(-MOST_PULL_REQUESTS) }
}

/** Options of `gh pr merge`, `close`, `reopen` and of glab that take a value. */
const VALUED_HERE =
  /^(-[AbcFmRt]|--(author-email|body|body-file|comment|match-head-commit|message|repo|sha|squash-message|subject))$/

/** `gh pr merge 12`, by its number, its address, or without one: that of the branch, which is the newest. */
function withState(work: GitWork, words: readonly string[], state: PullRequest['state']): GitWork {
  // It is merged later, when all checks have passed.
  if (words.some((word) => /^--(disable-)?auto$|^--auto-merge$|^--help$/.test(word))) return work
  let which: string | undefined
  for (let rest = withoutOptions(words, VALUED_HERE); rest.length > 0 && which === undefined; ) {
    which = rest[0]
    rest = withoutOptions(rest.slice(1), VALUED_HERE)
  }
  const isNewest = which === undefined || which === work.branch || which.includes('$')
  const isMeant = ({ url, number }: PullRequest, at: number, all: readonly PullRequest[]) =>
    isNewest
      ? at === all.length - 1
      : url === which?.replace(/\/$/, '') || String(number) === which?.replace(/^[#!]/, '')
  return {
    ...work,
    pullRequests: work.pullRequests.map((one, at, all) => (isMeant(one, at, all) ? { ...one, state } : one)),
  }
}
