export interface PullRequest {
  url: string
  number: number
  state: 'open' | 'merged' | 'closed'
}

/** What an agent has done with git and with the host of its repository, as far as its commands show it. */
export interface GitWork {
  /** The branch that it last made, switched to, committed on or pushed; null: it has not. */
  branch: string | null
  /** Oldest first. */
  commits: { hash: string; subject: string }[]
  pullRequests: PullRequest[]
}
