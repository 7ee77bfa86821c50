type Environment = Readonly<Record<string, string | undefined>>

/**
 * What a text in the place of a credential stands for. `unread`: a command, a file or a vault has it, and they are not
 * asked.
 */
export type CredentialValue = 'present' | 'absent' | 'unread'

/** `$NAME`, `${NAME}`, `${env:NAME}`, `${NAME:-default}`, `{env:NAME}`: how the CLIs' settings name a variable. */
const VARIABLE = /^(?:\$\{(?:env:)?([A-Za-z_]\w*)(?::-([^}]*))?\}|\$([A-Za-z_]\w*)|\{env:([^}]+)\})$/
/** `!command`, `$(command)`, `{file:path}`, `${{ secrets.NAME }}`. */
const UNREAD = /^(?:!.|\$\(|\{file:|\$\{\{)/
/** No provider gives out such a key: it is the name of a variable, as Pi's settings may have it. */
const BARE_NAME = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*_(?:KEY|TOKEN)$/

export function credentialValue(text: string, env: Environment): CredentialValue {
  const value = text.trim()
  if (value === '') return 'absent'
  if (UNREAD.test(value)) return 'unread'
  const [, braced, fallback = '', plain, inner] = VARIABLE.exec(value) ?? []
  const name = braced ?? plain ?? inner?.trim() ?? (BARE_NAME.test(value) ? value : undefined)
  return name === undefined || fallback !== '' || env[name]?.trim() ? 'present' : 'absent'
}
