import {
  type CommandEntry,
  choice,
  defineCommand,
  type FlagTable,
  GLOBAL_FLAGS,
  refuseExtra,
  usageError,
} from '../command.ts'

interface Words {
  name: string
  summary: string
  /** Of the command, or of all commands in a group. */
  flags: FlagTable
  subcommands: readonly string[]
}

const SHELLS = ['bash', 'zsh', 'fish'] as const

export const command = defineCommand({
  usage: 'completions bash|zsh|fish',
  flags: {},
  examples: [
    'source <(amux completions bash)',
    'amux completions zsh > "$fpath[1]/_amux"',
    'amux completions fish > ~/.config/fish/completions/amux.fish',
  ],
  async run({ args, flags }, { output, client, commands }) {
    refuseExtra(args, 1)
    const shell = choice('The shell', args[0], SHELLS)
    if (shell === undefined) throw usageError('Name the shell: amux completions bash|zsh|fish')
    const agents = (await client(flags)).adapters.list().map(({ agent }) => agent)
    const words = await Promise.all(commands.map(wordsOf))
    const script = { bash, zsh, fish }[shell](words, agents)
    output.result({ shell, script }, script)
    return 0
  },
})

async function wordsOf({ name, summary, load }: CommandEntry): Promise<Words> {
  const { command } = await load()
  const parts = await Promise.all((command.subcommands ?? []).map((entry) => entry.load()))
  const flags = Object.assign({}, command.flags, ...parts.map((part) => part.command.flags), GLOBAL_FLAGS)
  return { name, summary, flags, subcommands: (command.subcommands ?? []).map((entry) => entry.name) }
}

/** Commands whose first argument is an agent. */
const TAKES_AGENT = ['run', 'agents', 'capabilities', 'parse', 'verify']

function flagWords(flags: FlagTable): string[] {
  return Object.entries(flags).flatMap(([name, { short }]) => [`--${name}`, ...(short ? [`-${short}`] : [])])
}

function bash(commands: readonly Words[], agents: readonly string[]): string {
  const cases = commands.map(({ name, flags, subcommands }) => {
    const words = TAKES_AGENT.includes(name) ? agents : name === 'help' ? commands.map((one) => one.name) : subcommands
    return `    ${name}) words="${[...words, ...flagWords(flags)].join(' ')}" ;;`
  })
  return `# bash completion of amux
_amux() {
  local words current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]}
  case $previous in
    -a|--agent) COMPREPLY=($(compgen -W "${agents.join(' ')}" -- "$current")); return ;;
  esac
  if [ "$COMP_CWORD" -eq 1 ]; then
    words="${commands.map(({ name }) => name).join(' ')} ${flagWords(GLOBAL_FLAGS).join(' ')}"
  else
    case \${COMP_WORDS[1]} in
${cases.join('\n')}
    esac
  fi
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _amux amux
`
}

function zsh(commands: readonly Words[], agents: readonly string[]): string {
  const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`
  const described = ([name, { about }]: [string, { about: string }]) =>
    quote(`--${name}[${about.replace(/[[\]:]/g, '\\$&')}]`)
  const cases = commands.map(({ name, flags, subcommands }) => {
    const words = TAKES_AGENT.includes(name) ? agents : subcommands
    const first = words.length > 0 ? ` '1:word:(${words.join(' ')})'` : ''
    return `    ${name}) _arguments${first} ${Object.entries(flags).map(described).join(' ')} '*:file:_files' ;;`
  })
  return `#compdef amux
_amux() {
  if (( CURRENT == 2 )); then
    local -a names=(${commands.map(({ name, summary }) => quote(`${name}:${summary}`)).join(' ')})
    _describe command names
    return
  fi
  shift words; (( CURRENT-- ))
  case $words[1] in
${cases.join('\n')}
  esac
}
compdef _amux amux
`
}

function fish(commands: readonly Words[], agents: readonly string[]): string {
  const quote = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
  const lines = commands.flatMap(({ name, summary, flags, subcommands }) => [
    `complete -c amux -n __fish_use_subcommand -f -a ${name} -d ${quote(summary)}`,
    ...[TAKES_AGENT.includes(name) ? agents : subcommands]
      .filter((words) => words.length > 0)
      .map((words) => `complete -c amux -n "__fish_seen_subcommand_from ${name}" -a "${words.join(' ')}"`),
    ...Object.entries(flags).map(([flag, { about, short, type, choices }]) =>
      [
        `complete -c amux -n "__fish_seen_subcommand_from ${name}" -l ${flag}`,
        ...(short ? [`-s ${short}`] : []),
        ...(type === 'string' ? ['-r'] : []),
        ...(choices ? [`-f -a "${choices.join(' ')}"`] : []),
        `-d ${quote(about)}`,
      ].join(' '),
    ),
  ])
  return `# fish completion of amux\n${lines.join('\n')}\n`
}
