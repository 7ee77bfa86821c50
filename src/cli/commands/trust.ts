import { dirname, resolve } from 'node:path'
import { AgentMuxError } from '../../contract/errors.ts'
import type { TrustStatus } from '../../mux/project-trust.ts'
import { defineCommand, refuseExtra, usageError } from '../command.ts'
import type { Output } from '../output.ts'
import { terminalQuestions } from '../run/terminal-questions.ts'
import { trustText } from '../trust-text.ts'

export const command = defineCommand({
  usage: 'trust [DIR]',
  about: `
A project can bring settings and profiles in .agent-mux. They may narrow what you allow (a stricter approval mode, a
shorter timeout). What allows more needs your trust: approvals, MCP servers, endpoints, tools, variables, system prompts.
Without it such settings are ignored, with a warning, and such profiles are refused.

This command shows what a project would change, and asks. Your answer is kept in your own settings, for exactly this
content: when a file of the project changes, you are asked again. Without a terminal nothing is trusted unless --yes.`,
  flags: {
    yes: { type: 'boolean', short: 'y', about: 'Trust it without asking' },
    list: { type: 'boolean', about: 'List what is trusted' },
    revoke: { type: 'boolean', about: 'End the trust' },
  },
  examples: ['amux trust', 'amux trust ~/src/project', 'amux trust --list', 'amux trust --revoke ~/src/project'],
  async run({ args, flags }, context) {
    refuseExtra(args, 1)
    const given = [flags.yes && '--yes', flags.list && '--list', flags.revoke && '--revoke'].filter(Boolean)
    if (given.length > 1) throw usageError(`${given.join(' and ')} exclude each other`)
    const { trust } = await context.client(flags)
    const { output } = context
    if (flags.list) return list(trust.list(), output)
    const cwd = resolve(args[0] ?? '.')
    if (flags.revoke) {
      const revoked = await trust.revoke(cwd)
      const { directory } = trust.status(cwd)
      output.result({ directory, revoked }, `${directory} ${revoked ? 'is not trusted any more' : 'was not trusted'}.`)
      return 0
    }
    const status = trust.status(cwd)
    const isNeeded = status.widens.length > 0 || status.hides.length > 0
    if (status.trusted || !isNeeded) {
      const why = status.trusted ? 'is trusted as it is now.' : 'asks for nothing that you do not allow already.'
      output.result(status, `${status.directory} ${why}`)
      return 0
    }
    if (!output.json) output.note(trustText(status, output.paint(output.stderr)))
    await confirm(status, flags.yes ?? false, output)
    await trust.grant(status.hash, cwd)
    output.result({ ...status, trusted: true }, `${status.directory} is trusted until it changes.`)
    return 0
  },
})

function list(known: readonly { directory: string; hash: string; trustedAt: string }[], output: Output): number {
  const lines = known.map(({ directory, trustedAt }) => `${dirname(directory)}  (${trustedAt.slice(0, 10)})`)
  output.result(known, lines.length === 0 ? 'No project is trusted.' : lines.join('\n'))
  return 0
}

/** Throws unless the user agrees, here and now. */
async function confirm({ directory }: TrustStatus, yes: boolean, output: Output): Promise<void> {
  if (yes) return
  if (process.stdin.isTTY !== true || process.stderr.isTTY !== true || output.json) {
    throw new AgentMuxError('VALIDATION_ERROR', `${directory} is not trusted: there is nobody to ask`, {
      hint: 'Run `amux trust` in a terminal, or say --yes when you have looked at it.',
    })
  }
  const ask = terminalQuestions(process.stderr, () => process.exit(130))
  const answer = await ask('Trust this project? [y/N] ', new AbortController().signal)
  if (!/^y(es)?$/i.test(answer?.trim() ?? '')) throw new AgentMuxError('ABORTED', 'Nothing was trusted')
}
