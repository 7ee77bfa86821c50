import { openValueAt } from './assigned.ts'
import { openBytesAt } from './bytes.ts'
import { openColumns } from './columns.ts'
import { openFormAt } from './find-forms.ts'
import { encodingsOf } from './known-values.ts'
import { openKeyAt } from './private-key.ts'
import { COMMANDS, DEFINE, ELEMENT } from './shapes.ts'
import { concatenated, onOneLine, seen, unescaped, withoutEntities } from './views.ts'
import { fullLineAt, isFull, namesValue } from './wrapped.ts'

/** From where on a text may be the beginning of a secret that the next piece completes; its length when it is not. */
export type WaitFrom = (text: string) => number

/** No word is looked at for longer, and no run of base64. */
const LOOK_BACK = 1024
const MAX_RUN = 2048
/** A shorter run may be a word; of a longer one nobody knows what it decodes to. */
const MIN_RUN = 10
/** JSON in JSON in JSON. */
const MAX_DEPTH = 3
/** Of what a value looks like when it is encoded: every word ends with the first letter of one. */
const MIN_ENCODED = 4

const WORD_END = /[\s'"`]/
const ADDRESS = /(?:\b|(?<=\[[\d;:]{0,16}m))[a-z][a-z0-9+.-]{0,32}:(?:\/(?:\/[^\\\s]{0,600})?)?$/i
const BEFORE_VALUE = new RegExp(
  `(?:${[
    String.raw`\b(?:bearer|basic|ssws)[ \t]+`,
    String.raw`authorization\\{0,7}["']?[ \t]{0,4}[:=][ \t]{0,4}\\{0,7}["']?(?:(?:token|key|apikey|[a-z]+-auth-key)[ \t]+)?`,
    String.raw`--(?:[a-z]+-)?(?:api-?key|token|password|passphrase|secret)(?:[ \t]+|=)["']?`,
    String.raw`cookie\\{0,7}["']?[ \t]{0,4}[:=][ \t]{0,4}\\{0,7}["']?`,
    String.raw`\bcurl\b[^\n|;&]{0,80}[ \t](?:-u|--user)[ \t=]+["']?`,
    String.raw`\bsshpass[ \t]+-p?[ \t]*["']?`,
    String.raw`\bmysql(?:dump|admin)?\b[^\n|;&]{0,80}[ \t]`,
    String.raw`\blogin\s+\S{1,64}\s+password\s+`,
    COMMANDS,
    DEFINE,
    String.raw`\b(?:password|secret|token|api_?key)\\{0,7}["'][ \t]+value[ \t]{0,4}=[ \t]{0,4}\\{0,7}["']`,
    String.raw`\b(?:password|passphrase|api key|access token)[ \t]+(?:is|was)(?:[ \t]+now)?:?[ \t]+["'\`]?`,
    String.raw`"d\\{0,7}"[ \t]{0,4}:[ \t]{0,4}\\{0,7}"`,
    String.raw`"auth\\{0,7}"[ \t]{0,4}:[ \t]{0,4}\\{0,7}"`,
  ].join('|')})$`,
  'i',
)
/** What goes on within a word: an element, a line of a file of passwords, a key of an address, a token of Telegram. */
const IN_WORD = new RegExp(`(?:${ELEMENT}|:(?:5432|6432):|access_token\\$|[?&](?:key|auth)=|\\d{8}:(?=A|$))\\S*$`, 'i')
const BEFORE_LENGTH = 96
/** Also of the parts that a key may have. */
const RUN = /[A-Za-z0-9+/_=%.~-]/

export function createWaitFrom(known: readonly string[]): WaitFrom {
  const encodings = [...new Set(known.flatMap(encodingsOf))].filter((one) => !known.includes(one))
  /** What is known by its last words. */
  const lastWordsFrom = (text: string): number => {
    let place = text.length
    for (const value of known) place = Math.min(place, beginningAt(text, value))
    for (const value of encodings) {
      const at = beginningAt(text, value)
      if (text.length - at >= MIN_ENCODED) place = Math.min(place, at)
    }
    const start = lastWordAt(text)
    const word = text.slice(start)
    const near = Math.max(0, start - BEFORE_LENGTH)
    place = Math.min(place, near + openValueAt(text.slice(near)))
    if (word === '') return place
    if (BEFORE_VALUE.test(text.slice(near, start))) place = Math.min(place, start)
    const found = [openFormAt(word), word.includes(':') ? word.search(ADDRESS) : -1, word.search(IN_WORD)]
    return Math.min(place, ...found.filter((at) => at >= 0).map((at) => start + at))
  }
  const waitFrom = (text: string): number => {
    const places = wrappedEnds(text).map(({ text: end, placeOf }) => {
      const at = lastWordsFrom(end)
      return at === end.length ? text.length : placeOf(at)
    })
    const columns = openColumns(text).map(({ text: column, placeOf }) => {
      const at = Math.min(lastWordsFrom(column), runAt(column), openKeyAt(column))
      return at === column.length ? text.length : placeOf(at)
    })
    return Math.min(openKeyAt(text), openBytesAt(text), runAt(text), lastWordsFrom(text), ...places, ...columns)
  }
  return (shown) => {
    const text = shown.endsWith('\r') ? `${shown}\n` : shown // the rest of the line break comes
    return Math.min(shown.length, viewsFrom(text))
  }

  function viewsFrom(text: string, depth = 0): number {
    const cut = unfinishedEscapeAt(text)
    const whole = cut < text.length ? text.slice(0, cut) : text
    const own = cut < text.length ? Math.min(waitFrom(text), waitFrom(whole)) : waitFrom(text)
    if (depth === MAX_DEPTH) return Math.min(own, cut)
    const tail = whole.slice(-MAX_RUN)
    const views = [unescaped(tail), seen(tail), ...withoutEntities(tail), ...concatenated(tail)]
    const places = views.map((view) => {
      const at = view ? viewsFrom(view.text, depth + 1) : 0
      if (!view || at >= view.text.length) return cut
      return whole.length - tail.length + view.back({ start: at, end: at }).start
    })
    return Math.min(own, ...places)
  }
}

interface WrappedEnd {
  text: string
  placeOf: (at: number) => number
}

/** The first word of a line, or what has come of it, and the value that may follow a name. */
const LINE_BEGINS = /^[ \t]*(\S*)([ \t]+(?:[:=][ \t]+)?\S*)?$/

/** The end of a text that goes on over a line that is full: as one word, or with a blank where a name comes before it. */
function wrappedEnds(text: string): WrappedEnd[] {
  const last = text.lastIndexOf('\n')
  if (last < 0 || text.length - last > LOOK_BACK) return []
  const line = fullLineAt(text, last)
  const begins = line && LINE_BEGINS.exec(text.slice(last + 1))
  if (!begins) return []
  const [, word = '', value] = begins
  const before = text.slice(line.start, line.end)
  if (value !== undefined && !namesValue(before + word)) return []
  const ends: WrappedEnd[] = []
  if (namesValue(before)) {
    const after = text.slice(last + 1).trimStart()
    const shift = text.length - after.length - before.length - 1
    ends.push({ text: `${before} ${after}`, placeOf: (at) => at + (at > before.length ? shift : line.start) })
  }
  const from = firstLineAt(text, line.start)
  const view = onOneLine(text.slice(from))
  if (view) ends.push({ text: view.text, placeOf: (at) => from + view.back({ start: at, end: at }).start })
  return ends
}

/** Where the first line begins of those that are full, each of one word but for the first. */
function firstLineAt(text: string, lineStart: number): number {
  let start = lineStart
  while (
    start > 0 &&
    text.length - start < LOOK_BACK &&
    !/\S[ \t]/.test(text.slice(start, text.indexOf('\n', start)))
  ) {
    const above = fullLineAt(text, start - 1)
    if (!above) break
    start = above.start
  }
  return start
}

const UNFINISHED = new RegExp(
  [
    String.raw`\\+(?:u[0-9a-fA-F]{0,3}|u\{[0-9a-fA-F]{0,6}|x[0-9a-fA-F]?|[0-3][0-7]?)?$`,
    String.raw`\\\r?\n[ \t]{0,24}$`,
    String.raw`\x1b(?:\[[\d;:]{0,32})?$`,
    String.raw`&#?\w{0,7}$`,
    String.raw`(?<=[^\s\\])["'\`][ \t]{0,8}(?:[+.]{1,2}[ \t]{0,8}\r?(?:\n[ \t]{0,80})?|\r?\n[ \t]{0,80}(?:[+.][ \t]{0,8})?)?$`,
  ].join('|'),
)

/** Of a character that is written as an escape, of a colour, or of strings that are joined. */
function unfinishedEscapeAt(text: string): number {
  const [end] = UNFINISHED.exec(text.slice(-120)) ?? []
  return text.length - (end?.length ?? 0)
}

function lastWordAt(text: string): number {
  let at = text.length
  while (at > 0 && text.length - at < LOOK_BACK && !WORD_END.test(text.charAt(at - 1))) at -= 1
  return at
}

/** Where the run of base64 begins that goes up to the end, over the lines that it fills. */
function runAt(text: string): number {
  const earliest = Math.max(0, text.length - MAX_RUN)
  let at = startOfRun(text, text.length, earliest)
  const isLong = text.length - at >= MIN_RUN
  for (let above = lineAbove(text, at); above !== null; above = lineAbove(text, at)) {
    const start = startOfRun(text, above, earliest)
    if (start === above || !isFull(text, text.lastIndexOf('\n', above - 1) + 1, above)) break
    if (above - start < MIN_RUN && start > 0 && openFormAt(text.slice(start, above)) < 0) break
    at = start
    if (text.charAt(at - 1) !== '\n') return at
  }
  return isLong || text.slice(at).includes('\n') ? at : text.length
}

function startOfRun(text: string, end: number, earliest: number): number {
  let at = end
  while (at > earliest && RUN.test(text.charAt(at - 1))) at -= 1
  return at
}

/** The end of the line above, when only blanks come before `at` in its own line. */
function lineAbove(text: string, at: number): number | null {
  let end = at
  while (end > 0 && /[ \t]/.test(text.charAt(end - 1))) end -= 1
  if (text.charAt(end - 1) !== '\n') return null
  return text.charAt(end - 2) === '\r' ? end - 2 : end - 1
}

/** Where in the text a part of this value begins that goes up to its end; the length of the text when there is none. */
function beginningAt(text: string, value: string): number {
  const first = value.charAt(0)
  for (let at = text.indexOf(first, text.length - value.length + 1); at >= 0; at = text.indexOf(first, at + 1)) {
    if (value.startsWith(text.slice(at))) return at
  }
  return text.length
}
