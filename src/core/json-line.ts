/**
 * One record on one line. Some readers, Bun's and newer Node's among them, split at U+2028 and U+2029 as well, which
 * JSON leaves as they are.
 */
export function jsonLine(value: unknown): string {
  return JSON.stringify(value).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')
}
