import { deliverHook } from '../../hooks/deliver.ts'
import { choice, defineCommand, usageError } from '../command.ts'
import { hookPlace, type InstallScope, plannedAgents } from '../hooks/places.ts'

const ACTIONS = ['install', 'uninstall', 'status'] as const
const SCOPES: readonly InstallScope[] = ['user', 'workspace']

export const command = defineCommand({
  usage: 'hooks install | uninstall | status [agent…]',
  about: `
Sessions that amux starts bring their hooks along where the agent allows it, and nothing is written. To follow sessions
that you start yourself below amux, install the hooks into the agent's own settings: every other byte there stays as it
is, and uninstall gives the file back as it was. Without a name: all agents on this machine.

\`amux hooks <agent> <event>\` is what an agent calls. It takes the payload from standard input, is silent, and
always succeeds.`,
  flags: {
    scope: {
      type: 'string',
      value: 'user|workspace',
      about: 'In your own settings (default), or in those of one directory',
      choices: SCOPES,
    },
    cwd: { type: 'string', value: 'DIR', about: 'The directory of --scope workspace (default: this one)' },
    'dry-run': { type: 'boolean', about: 'Show what would be done, and do nothing' },
  },
  examples: ['amux hooks status', 'amux hooks install claude --dry-run', 'amux hooks uninstall'],
  async run({ args, flags }, { output, client }) {
    const [first = 'status', ...names] = args
    if (!ACTIONS.some((one) => one === first) && names.length > 0) {
      deliverHook(args)
      return 0
    }
    const action = choice('The action', first, ACTIONS) ?? 'status'
    const scope = choice('--scope', flags.scope, SCOPES)
    if (scope !== 'workspace' && flags.cwd !== undefined && action !== 'status') {
      throw usageError('--cwd is for --scope workspace')
    }
    const place = hookPlace(flags, flags.cwd)
    const agents = await plannedAgents(await client(flags), place, names)
    if (action === 'status') {
      const { showStatus } = await import('../hooks/status.ts')
      return showStatus(agents, output)
    }
    const { changeHooks } = await import('../hooks/changes.ts')
    const chosen = names.length > 0 || action === 'uninstall' ? agents : agents.filter(({ isInstalled }) => isInstalled)
    return changeHooks({ action, agents: chosen, scope: scope ?? 'user', place, dryRun: flags['dry-run'] }, output)
  },
})
