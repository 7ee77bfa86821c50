import { defineGroup } from '../command.ts'

export const command = defineGroup({
  usage: 'sessions [list | show | search | tail | export | diff | resume | fork | handoff]',
  about: `
The conversations of all agents on this machine, as the agents keep them, no matter who started them. Nothing is ever written
to an agent's own store. An id is \`agent:id\`, the agent's own id, or the beginning of either.`,
  examples: [
    'amux sessions',
    'amux sessions list --since 7d --project .',
    'amux sessions show claude:db77',
    'amux sessions resume db77 "Now write the tests"',
    'amux sessions handoff db77 --to codex "Review what was done"',
  ],
  fallback: 'list',
  subcommands: [
    { name: 'list', summary: 'Sessions of all agents, newest first', load: () => import('./sessions/list.ts') },
    {
      name: 'show',
      summary: 'One session: what is known of it, and its words',
      load: () => import('./sessions/show.ts'),
    },
    { name: 'search', summary: 'Sessions in which something was said', load: () => import('./sessions/search.ts') },
    { name: 'tail', summary: 'Follow a session while its agent works', load: () => import('./sessions/tail.ts') },
    {
      name: 'export',
      summary: 'A session as JSON, JSON lines or Markdown',
      load: () => import('./sessions/export.ts'),
    },
    {
      name: 'diff',
      summary: 'What two sessions have in common, and what not',
      load: () => import('./sessions/diff.ts'),
    },
    { name: 'resume', summary: 'Go on with a session', load: () => import('./sessions/resume.ts') },
    { name: 'fork', summary: 'Go on from a copy of a session', load: () => import('./sessions/fork.ts') },
    { name: 'handoff', summary: 'Go on with a session in another agent', load: () => import('./sessions/handoff.ts') },
  ],
})
