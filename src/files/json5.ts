import { parseJsonc } from './edit-json.ts'

const DOUBLE = String.raw`"(?:\\[\s\S]|[^"\\])*"`
const SINGLE = String.raw`'(?:\\[\s\S]|[^'\\])*'`
const COMMENT = String.raw`\/\/[^\n]*|\/\*[\s\S]*?\*\/`
const NAME = String.raw`[\p{ID_Start}$_][\p{ID_Continue}$]*(?=(?:\s|${COMMENT})*:)`
const NUMBER = String.raw`[+-]?(?:0[xX][\da-fA-F]+|Infinity|NaN|\d+\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)`
const TOKEN = new RegExp(`(${COMMENT})|(${DOUBLE}|${SINGLE})|(${NAME})|(${NUMBER})`, 'gu')

/** The value of JSON5: JSON with comments, and names without quotes, other quotes and other numbers. */
export function parseJson5(text: string, filePath: string): Promise<unknown> {
  const plain = text.replaceAll(TOKEN, (all, comment, quoted, name, number) => {
    if (comment !== undefined) return all
    if (quoted !== undefined) return doubleQuoted(quoted)
    return name !== undefined ? JSON.stringify(name) : plainNumber(number)
  })
  return parseJsonc(plain, filePath)
}

/** JSON has fewer escapes, and no line break in a text. */
function doubleQuoted(quoted: string): string {
  const body = quoted.slice(1, -1).replaceAll(/\\(\r\n|[\s\S])|"/g, (all, escaped?: string) => {
    if (escaped === undefined) return '\\"'
    if (/^[\r\n\u2028\u2029]/.test(escaped)) return ''
    return /["\\/bfnrtu]/.test(escaped) ? all : escaped
  })
  return `"${body}"`
}

/** What JSON cannot write becomes null, as `JSON.stringify` has it. */
function plainNumber(number: string): string {
  return JSON.stringify(Number(number))
}
