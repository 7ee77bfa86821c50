import type { OptionFlag, OptionPlace, OptionRow } from './option-row.ts'
import { OPTIONS } from './option-table.ts'
import type { RunOptions } from './run-options.ts'

export type OptionName = keyof RunOptions

type Table = typeof OPTIONS
type Named<Wanted> = { [Name in OptionName]: Table[Name] extends Wanted ? Name : never }[OptionName]

/** The options that can be given there. */
export type OptionAt<Place extends OptionPlace> = {
  [Name in OptionName]: Place extends Table[Name]['at'][number] ? Name : never
}[OptionName]
export type SecretOption = Named<{ secret: true }>

type FlagsOfRow<Row> = Row extends { flags: infer Flags } ? Flags : never
type Intersection<Union> = (Union extends unknown ? (one: Union) => void : never) extends (all: infer All) => void
  ? All
  : never
/** The flags of these options, with their exact names. */
export type FlagsOf<Name extends OptionName> = Flat<Intersection<{ [One in Name]: FlagsOfRow<Table[One]> }[Name]>>
type Flat<Type> = { [Key in keyof Type]: Type[Key] }

/** The same rows, in a form that loops can use. */
const ROWS: Readonly<Record<OptionName, OptionRow>> = OPTIONS

export function isOptionName(name: string): name is OptionName {
  return Object.hasOwn(OPTIONS, name)
}

export const OPTION_NAMES: readonly OptionName[] = Object.keys(OPTIONS).filter(isOptionName)

export function rowOf(name: OptionName): OptionRow {
  return ROWS[name]
}

/** Whether an option can be given there. */
export function isAt<Place extends OptionPlace>(place: Place, name: string): name is OptionAt<Place> {
  return isOptionName(name) && rowOf(name).at.includes(place)
}

export function optionsAt<Place extends OptionPlace>(place: Place): OptionAt<Place>[] {
  return OPTION_NAMES.filter((name): name is OptionAt<Place> => isAt(place, name))
}

export function isSecret(name: string): name is SecretOption {
  return isOptionName(name) && rowOf(name).secret === true
}

export const SECRET_OPTIONS: readonly SecretOption[] = OPTION_NAMES.filter((name): name is SecretOption =>
  isSecret(name),
)

export function flagsOf<Name extends OptionName>(names: readonly Name[]): FlagsOf<Name> {
  return Object.assign({}, ...names.map((name) => rowOf(name).flags))
}

/** The flags of an option by name; none for one that only programs can give. */
export function flagEntries(name: OptionName): [string, OptionFlag][] {
  return Object.entries(rowOf(name).flags ?? {})
}
