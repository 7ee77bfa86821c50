import { resolve } from 'node:path'
import { ownVersion } from '../files/own-version.ts'
import type { AgentMuxClient } from '../mux/client.ts'
import { type CommandContext, findCommand, type GlobalValues, LEADING_FLAGS, parseStrictly } from './command.ts'
import { COMMANDS } from './commands.ts'
import { exitCodeOfError } from './exit-codes.ts'
import { commandIndex, commandNamed } from './find-command.ts'
import { Output } from './output.ts'

/** Runs one command line and returns its exit code. Never throws. */
export async function main(argv: readonly string[]): Promise<number> {
  const beforeDashes = argv.includes('--') ? argv.slice(0, argv.indexOf('--')) : argv
  const has = (...names: string[]) => beforeDashes.some((word) => names.includes(word))
  const output = new Output({
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    json: has('--json'),
    noColor: has('--no-color'),
  })
  closeWithReader(output)
  try {
    return await dispatch(argv, has, output)
  } catch (error) {
    output.error(error, has('--debug'))
    return exitCodeOfError(error)
  }
}

async function dispatch(
  argv: readonly string[],
  has: (...names: string[]) => boolean,
  output: Output,
): Promise<number> {
  const at = commandIndex(argv)
  const name = argv[at]
  if (name === undefined || name === 'version') {
    if (name === undefined) parseStrictly(argv, LEADING_FLAGS, 'help')
    if (name === 'version' || has('--version', '-V')) return printVersion(output)
    const { overview } = await import('./help.ts')
    output.write(overview(COMMANDS, output.paint(), output.width))
    return 0
  }
  const { words, agents } = await withAgents(name, argv, output)
  const { entry, command, rest } = await commandNamed(COMMANDS, words, '', agents)
  if (has('--help', '-h')) {
    const { commandHelp } = await import('./help.ts')
    output.write(commandHelp(entry, command, output.paint(), output.width))
    return 0
  }
  return command.execute(rest, createContext(output))
}

/** `amux claude "hi"` is `amux run claude "hi"`. The agents are for a name that is neither. */
async function withAgents(name: string, argv: readonly string[], output: Output) {
  if (findCommand(COMMANDS, name)) return { words: argv, agents: [] }
  const { namesAgent } = await import('./run/prompt.ts')
  const mux = await createContext(output).client({})
  const agents = mux.adapters.list().map(({ agent }) => agent)
  return { words: namesAgent(mux, name) ? ['run', ...argv] : argv, agents }
}

function createContext(output: Output): CommandContext {
  let client: AgentMuxClient | undefined
  return {
    output,
    commands: COMMANDS,
    async client(flags: GlobalValues) {
      if (client) return client
      const { createClient } = await import('../mux/client.ts')
      client = createClient({
        defaultAgent: process.env.AGENT_MUX_DEFAULT_AGENT || undefined,
        configDir: absolute(flags['config-dir']),
        projectConfigDir: absolute(flags['project-dir']),
        debug: flags.debug,
      })
      return client
    },
  }
}

function absolute(path: string | undefined): string | undefined {
  return path === undefined ? undefined : resolve(path)
}

function printVersion(output: Output): number {
  const version = ownVersion()
  output.result({ version }, `amux ${version}`)
  return 0
}

/** `amux … | head -1`: when the reader leaves we stop writing and say nothing. */
function closeWithReader(output: Output): void {
  process.stdout.on('error', () => output.close())
  process.stderr.on('error', () => {})
}
