import type { CommandEntry } from './command.ts'

/** In the order of `amux help`. Nothing here is loaded before it is asked for. */
export const COMMANDS: readonly CommandEntry[] = [
  {
    name: 'run',
    summary: 'Give an agent a prompt and follow its work',
    load: () => import('./commands/run.ts'),
  },
  {
    name: 'agents',
    aliases: ['detect', 'adapters'],
    summary: 'Which agents there are, which are installed and signed in',
    load: () => import('./commands/agents.ts'),
  },
  {
    name: 'capabilities',
    summary: 'What each agent can do',
    load: () => import('./commands/capabilities.ts'),
  },
  {
    name: 'sessions',
    summary: 'All conversations of all agents: list, show, tail, resume, fork, hand off',
    load: () => import('./commands/sessions.ts'),
  },
  {
    name: 'cost',
    summary: 'What all sessions have used and cost',
    load: () => import('./commands/cost.ts'),
  },
  {
    name: 'models',
    summary: 'Which models each agent has, and what they cost',
    load: () => import('./commands/models.ts'),
  },
  {
    name: 'verify',
    summary: 'Prove the installed agents against the scripted model server',
    load: () => import('./commands/verify.ts'),
  },
  {
    name: 'demo',
    summary: 'See a real agent work, with no key and no cost',
    load: () => import('./commands/demo.ts'),
  },
  {
    name: 'auth',
    summary: 'Whether credentials for the agents are there',
    load: () => import('./commands/auth.ts'),
  },
  {
    name: 'profiles',
    summary: 'Named sets of run options',
    load: () => import('./commands/profiles.ts'),
  },
  {
    name: 'parse',
    summary: 'Turn recorded output of an agent into events',
    load: () => import('./commands/parse.ts'),
  },
  {
    name: 'detect-host',
    summary: 'Which agent this shell runs below, if any',
    load: () => import('./commands/detect-host.ts'),
  },
  {
    name: 'completions',
    summary: 'Completion script for bash, zsh or fish',
    load: () => import('./commands/completions.ts'),
  },
  {
    name: 'help',
    summary: 'Help on a command, or on exit codes',
    load: () => import('./commands/help.ts'),
  },
]
