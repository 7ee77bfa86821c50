const VARIABLE =
  /(?:^|[_-])(?:key|pass|pwd|pw|pat|psk|sk|jwt|auth|auth_config|bearer|cookie|dsn|salt|pepper|webhook|mnemonic|seed|seed_phrase|(?:mfa|otp|pin|unlock|recovery|backup)_code)s?(?:_?\d+)?$|(?:db|my|pg|user|root|admin|smtp|mail|ftp|ssh|ldap)(?:pass|pwd|pw)$|(?:^|[_-])(?:key|pass|pat)s?[_-](?!file|path|id|name|type|url|sock|dir)|token|secret|passw|passphrase|passcode|credential|cookie|apikey|authorization|connection_?string/i
const NEITHER =
  /^(?:PWD|OLDPWD|INIT_CWD)$|(?:_|^)(?:SOCK|FILE|PATH|DIR|URL|URI|HOST|PORT|USER|TYPE|COUNT|LIMIT|TOKENS)$/i

/** Whether the value of a variable or header of this name is a secret. */
export function isSecretName(name: string): boolean {
  return VARIABLE.test(name) && !NEITHER.test(name)
}
