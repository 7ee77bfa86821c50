import { type JsonRecord, parseRecord } from './json.ts'

/** What terminals take for colours, cursor movements and titles. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they begin with one.
const ESCAPES = /\x1b(?:\[[0-9;:?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[@-Z\\-_])/g

export function withoutEscapes(text: string): string {
  return text.includes('\x1b') ? text.replace(ESCAPES, '') : text
}

/** The message of the last record on stderr, where a CLI reports its errors in JSON. */
export function errorRecord(stderr: string): JsonRecord | undefined {
  const lines = stderr.split('\n')
  return lines.reduceRight<JsonRecord | undefined>((found, line) => found ?? parseRecord(line) ?? undefined, undefined)
}

/** Stack frames, closing brackets, ids for a help desk, and what Node and Bun say about themselves. */
const NOISE =
  /^\s+at |^\W*$|^\W*(?:request|trace|correlation|message)[ _-]id\W+\S+$|^\(node:\d+\)|^\(Use `node |^Debugger |^Waiting for the debugger|^\s*(?:Bun|Node\.js) v\d|^Reading additional input from stdin/i

/** The end of what Node prints when nothing caught an error. Before it come the fields of the error, which say less. */
const NODE_END = /^Node\.js v\d/m
const THROWN = /^(?:Uncaught )?\w*(?:Error|Exception)\b[^:]*: \S/

/** The last line that says something; empty when none does. */
export function tellingLine(stderr: string): string {
  const lines = withoutEscapes(stderr).split('\n')
  const thrown = NODE_END.test(stderr) ? lines.findLast((line) => THROWN.test(line)) : undefined
  return thrown?.trim() ?? lines.findLast((line) => !NOISE.test(line))?.trim() ?? ''
}
