type TomlValue = string | number | boolean | readonly TomlValue[] | { readonly [key: string]: TomlValue }

/** A JSON string is a TOML basic string, but for DEL, which TOML wants escaped, and halves of surrogate pairs. */
function quote(text: string): string {
  return JSON.stringify(text.replace(/\p{Surrogate}/gu, '\ufffd')).replaceAll('\x7f', '\\u007F')
}

/** The value as it stands on the right side of `-c key=value`: one line, tables inline. */
export function toml(value: TomlValue): string {
  if (typeof value === 'string') return quote(value)
  if (typeof value !== 'object') return String(value)
  if (isList(value)) return `[${value.map(toml).join(',')}]`
  const entries = Object.entries(value).map(([key, inner]) => `${quote(key)}=${toml(inner)}`)
  return `{${entries.join(',')}}`
}

function isList(value: readonly TomlValue[] | { readonly [key: string]: TomlValue }): value is readonly TomlValue[] {
  return Array.isArray(value)
}

/** One override, as the two arguments of the command line. */
export function setting(key: string, value: TomlValue): string[] {
  return ['-c', `${key}=${toml(value)}`]
}
