import { AgentMuxError } from '../../contract/errors.ts'
import { daemonAddress } from '../../daemon/address.ts'
import { defineCommand, refuseExtra, usageError } from '../command.ts'
import { callName } from '../daemon/call-name.ts'
import { showChanges } from '../daemon/changes-view.ts'
import { connectDaemon } from '../daemon/connect.ts'
import { detachPattern } from '../daemon/detach-key.ts'
import { requireManaged } from '../daemon/find-managed.ts'
import { daemonPlaces } from '../daemon/places.ts'
import { sessionArgument } from '../daemon/session-argument.ts'
import { sessionLine } from '../daemon/session-text.ts'
import { viewTerminal } from '../daemon/terminal-view.ts'

const usage = 'attach SESSION'

export const command = defineCommand({
  usage,
  about: `
Shows the agent's own screen and types into it, for sessions with a terminal. Ctrl-\\ leaves it; the agent goes on, and
your terminal is as it was. Several can look at once. --print writes the screen as text and returns. A headless session is
followed like \`amux logs -f\`.`,
  flags: {
    'read-only': { type: 'boolean', short: 'r', about: 'Look, do not type' },
    print: { type: 'boolean', about: 'The screen as text, once' },
    'detach-key': {
      type: 'string',
      value: 'KEY',
      about: 'A letter to press with Ctrl, or one of \\ ] ^ _ (default \\)',
    },
  },
  examples: ['amux attach k3v9', 'amux attach k3v9 --print'],
  async run({ args, flags }, context) {
    const { id: given } = sessionArgument(args, usage)
    refuseExtra(args, 1)
    const client = await connectDaemon(flags, context)
    const session = await requireManaged(client, given, flags, context)
    const { output } = context
    if (session.mode === 'terminal' && !session.isLive) throw exited(callName(session))
    if (flags.print) {
      const { lines, cursor } = await client.call('screen', { id: session.id })
      output.result({ lines, cursor }, lines.join('\n').trimEnd())
      return 0
    }
    if (session.mode === 'headless') {
      await showChanges({ client, session, output, follow: true, debug: flags.debug ?? false })
      return 0
    }
    requireTerminal()
    const detachKey = detachPattern(flags['detach-key'] ?? '\\')
    const address = await daemonAddress(daemonPlaces(flags).dataDir)
    const { stdin, stdout } = process
    const readOnly = flags['read-only'] ?? false
    const end = await viewTerminal({ address, sessionId: session.id, stdin, stdout, detachKey, readOnly })
    if (end === 'lost') throw lost()
    const line = sessionLine(await client.call('getSession', { id: session.id }), output)
    output.note(end === 'detached' ? `Detached. ${line}` : line)
    return 0
  },
})

function exited(name: string): AgentMuxError {
  return new AgentMuxError('RUN_NOT_ACTIVE', 'Its agent has exited', {
    hint: `\`amux restore ${name}\` brings it back; \`amux show ${name}\` says how it ended.`,
  })
}

function lost(): AgentMuxError {
  return new AgentMuxError('INTERNAL', 'The connection to the daemon was lost; the agent goes on', {
    hint: 'The same command shows it again: another daemon is started if need be.',
  })
}

function requireTerminal(): void {
  const { stdin, stdout } = process
  if (!stdin.isTTY || !stdout.isTTY) throw usageError('This needs a terminal', 'Use --print for the screen as text.')
  if (stdout.columns > 0 && stdout.rows > 0) return
  throw usageError(
    `This terminal says that its size is ${stdout.columns}×${stdout.rows}, so nothing can be shown in it`,
    'Set its size, for example with `stty cols 80 rows 24`, or use --print for the screen as text.',
  )
}
