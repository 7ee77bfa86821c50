import type { CommandEntry } from './command.ts'

/** In the order of `amux help`. Nothing here is loaded before it is asked for. */
export const COMMANDS: readonly CommandEntry[] = [
  {
    name: 'run',
    summary: 'Give an agent a prompt and follow its work',
    load: () => import('./commands/run.ts'),
  },
  {
    name: 'spawn',
    summary: 'Start an agent in the background',
    load: () => import('./commands/spawn.ts'),
  },
  {
    name: 'ls',
    summary: 'The sessions that run in the background',
    load: () => import('./commands/ls.ts'),
  },
  {
    name: 'show',
    summary: 'One of them, and what it is doing',
    load: () => import('./commands/show.ts'),
  },
  {
    name: 'send',
    summary: 'Say something to an agent',
    load: () => import('./commands/send.ts'),
  },
  {
    name: 'interrupt',
    summary: 'Stop the turn of an agent',
    load: () => import('./commands/interrupt.ts'),
  },
  {
    name: 'approve',
    summary: 'Allow what an agent asks for',
    load: () => import('./commands/approve.ts'),
  },
  {
    name: 'deny',
    summary: 'Refuse what an agent asks for',
    load: () => import('./commands/deny.ts'),
  },
  {
    name: 'attach',
    summary: "Look at an agent's own screen, and type into it",
    load: () => import('./commands/attach.ts'),
  },
  {
    name: 'logs',
    summary: 'What happened in a session',
    load: () => import('./commands/logs.ts'),
  },
  {
    name: 'replay',
    summary: 'Read a session again with the adapters of today',
    load: () => import('./commands/replay.ts'),
  },
  {
    name: 'restore',
    summary: 'Bring an exited session back',
    load: () => import('./commands/restore.ts'),
  },
  {
    name: 'kill',
    summary: 'End the agent of a session',
    load: () => import('./commands/kill.ts'),
  },
  {
    name: 'rm',
    summary: 'Forget a session',
    load: () => import('./commands/rm.ts'),
  },
  {
    name: 'serve',
    summary: 'The daemon behind these, in the foreground',
    load: () => import('./commands/serve.ts'),
  },
  {
    name: 'status',
    summary: 'Whether the daemon runs',
    load: () => import('./commands/status.ts'),
  },
  {
    name: 'stop',
    summary: 'End the daemon; agents go on',
    load: () => import('./commands/stop.ts'),
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
    name: 'hooks',
    summary: "Put hooks of amux into the agents' own settings, or take them out",
    load: () => import('./commands/hooks.ts'),
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
