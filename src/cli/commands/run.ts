import { defineCommand } from '../command.ts'
import { RUN_FLAGS } from '../run/flags.ts'
import { runAgent } from '../run/run-agent.ts'

export const command = defineCommand({
  usage: 'run [agent] [prompt…]',
  about: `
The agent may be left out when a default is set (AGENT_MUX_DEFAULT_AGENT, config.json or the profile). A prompt that
is, or ends with, "-" is read from standard input. \`amux claude "hi"\` is the same as \`amux run claude "hi"\`.

Any program that speaks the Agent Client Protocol is an agent: acp:"COMMAND ARGS". One that you use often gets a name in
config.json, {"agents": {"mine": {"acp": "my-agent --acp"}}}, and is then one like the others.

On a terminal you see the work as it happens and are asked for approvals. With stdout redirected it gets the answer
alone and stderr the rest; events only with --json. Without a terminal on stdin, and without -i, everything the agent
asks for is denied.

With --json each line is one event and the last has the type "run_result". With -i lines of standard input are
prompts; /help lists what else they can be. With --stdio they are JSON (docs/adr/0006-remote-runs.md). ^C interrupts
the turn; twice within a second it ends the run.

The exit code is the outcome: 0 completed, 5 not signed in, 11 timeout, 12 crash, 13 cancelled, 14 rate limited,
16 permission blocked… \`amux help exit-codes\` lists all.`,
  flags: RUN_FLAGS,
  examples: [
    'amux run claude "Fix the failing test" --accept-edits',
    'git diff | amux run codex "Review this change" - -q',
    'amux run claude -i --max-cost 2',
    'amux run acp:"my-agent --acp" "Explain this repository"',
  ],
  run: ({ args, flags }, context) => runAgent(args, flags, context),
})
