const VARIABLE =
  /(?:^|[_-])(?:key|pass|pwd|pat|psk|auth|cookie|dsn)s?(?:_?\d+)?$|(?:^|[_-])(?:key|pass|pat)s?[_-](?!file|path|id|name|type|url|sock|dir)|token|secret|passw|passphrase|credential|cookie|apikey|authorization|connection_?string/i
const NEITHER =
  /^(?:PWD|OLDPWD|INIT_CWD)$|(?:_|^)(?:SOCK|FILE|PATH|DIR|URL|URI|HOST|PORT|USER|TYPE|COUNT|LIMIT|TOKENS)$/i

/** Whether the value of a variable or header of this name is a secret. */
export function isSecretName(name: string): boolean {
  return VARIABLE.test(name) && !NEITHER.test(name)
}
