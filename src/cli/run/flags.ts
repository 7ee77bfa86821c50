import { flagsOf, OPTION_NAMES, type OptionName, optionsAt, SECRET_OPTIONS } from '../../contract/options.ts'
import { AGENT_FLAG, type CommandInput, type FlagTable } from '../command.ts'

const OWN_FLAGS = {
  prompt: { type: 'string', short: 'p', value: 'TEXT', about: 'The prompt, in place of words; "-" reads stdin' },
  interactive: { type: 'boolean', short: 'i', about: 'Stay open: more prompts, /commands, approvals' },
  quiet: { type: 'boolean', short: 'q', about: 'Print the answer and nothing else' },
  stdio: { type: 'boolean', about: 'For programs: options, then commands, as JSON lines on stdin' },
} as const satisfies FlagTable

/** The flag of every command is listed with those. */
function own<Name extends OptionName>(names: readonly Name[]) {
  return names.filter((name): name is Exclude<Name, 'debug'> => name !== 'debug')
}

/** Every flag of `amux run`. `contract/option-table.ts` says what each one does. */
export const RUN_FLAGS = { ...OWN_FLAGS, ...flagsOf(own(OPTION_NAMES)) }

/** Those of a session that the daemon keeps. The directory goes there by itself. */
export const SPAWN_FLAGS = {
  ...AGENT_FLAG,
  prompt: OWN_FLAGS.prompt,
  ...flagsOf([...own(optionsAt('daemon')), 'cwd']),
}

/** What may hold secrets is written nowhere: a daemon that did not start the session needs it again. */
export const SECRET_FLAGS = flagsOf([...SECRET_OPTIONS, 'passEnv'])

export type RunValues = CommandInput<typeof RUN_FLAGS>['flags']
