import { FORMS, type Form } from './forms.ts'
import { hasAllKinds, lengthOfRandomParts } from './plausible.ts'
import type { Span } from './spans.ts'

interface Head {
  head: string
  form: Form
  /** What follows the head in a text. */
  body: RegExp
  /** The same, when nothing else may follow. */
  rest: RegExp
}

/** By the first two characters: nearly no place in a text begins like a key, and that is quick to see. */
const BY_PAIR = new Map<number, Head[]>()
const IS_PAIR = new Uint8Array(128 * 128)
const IS_FIRST = new Uint8Array(128)
const HEADS_BY_FIRST = new Map<number, Head[]>()

for (const form of FORMS) {
  const body = new RegExp(`[${form.body}]{${form.min},}`, 'y')
  const rest = new RegExp(`^[${form.body}]*$`)
  for (const head of form.heads) {
    const one = { head, form, body, rest }
    const pair = pairAt(head, 0)
    IS_PAIR[pair] = 1
    BY_PAIR.set(pair, [...(BY_PAIR.get(pair) ?? []), one])
    const first = head.charCodeAt(0)
    IS_FIRST[first] = 1
    HEADS_BY_FIRST.set(first, [...(HEADS_BY_FIRST.get(first) ?? []), one])
  }
}

function pairAt(text: string, at: number): number {
  const first = text.charCodeAt(at)
  const second = text.charCodeAt(at + 1)
  return first < 128 && second < 128 ? first * 128 + second : 0
}

/** What looks like a key and is none is gone through once, when it is as long as this. */
const LONG = 512

/** The keys of a known form in the text from `from` to `to`. */
export function findForms(text: string, from: number, to: number, spans: Span[]): void {
  for (let at = from; at < to - 1; at++) {
    if (IS_FIRST[text.charCodeAt(at)] !== 1) continue
    const pair = pairAt(text, at)
    if (IS_PAIR[pair] !== 1) continue
    const end = keyEndAt(text, at, BY_PAIR.get(pair) ?? [])
    if (end > 0) spans.push({ start: at, end })
    if (end > 0 || -end - at > LONG) at = Math.abs(end) - 1
  }
}

/** Where the key ends that begins here; negative, when it only looks like one. */
function keyEndAt(text: string, at: number, heads: readonly Head[]): number {
  let end = 0
  for (const { head, form, body } of heads) {
    if (!text.startsWith(head, at)) continue
    const isGlued = !form.glued && !isBoundary(text, at)
    if (isGlued && !canBeGlued(head)) continue
    body.lastIndex = at + head.length
    if (!body.test(text)) continue
    const whole = text.slice(at, body.lastIndex).replace(/\.+$/, '') // the end of a sentence
    const isKey = (!form.whole || form.whole.test(whole)) && (!isGlued || isKeyAlone(head, whole.slice(head.length)))
    if (isKey) return at + whole.length
    end = Math.min(end, -body.lastIndex)
  }
  return end
}

/** Right after another letter a head says little: `ask-`, `half_`. Only one with a sign or of AWS and Google is looked at. */
function canBeGlued(head: string): boolean {
  return /^(?:AKIA|ASIA|AIza)$|^.{2,}[-_.]/.test(head)
}

/** Then what follows is as random as nothing but a key is. */
function isKeyAlone(head: string, rest: string): boolean {
  if (/^A[KS]IA$/.test(head)) return /\d/.test(rest) && /[A-Z]/.test(rest)
  return rest.length >= 20 && hasAllKinds(rest) && !/[a-z]{6}/.test(rest) && lengthOfRandomParts(rest) >= 20
}

const COLOUR = /\[[\d;:]{0,16}m$/

/** Whether a word can begin here: also right after the letter by which a colour of a terminal ends. */
function isBoundary(text: string, at: number): boolean {
  if (at === 0 || !/[A-Za-z0-9]/.test(text.charAt(at - 1))) return true
  return text.charAt(at - 1) === 'm' && COLOUR.test(text.slice(Math.max(0, at - 18), at))
}

/** Where in a word a key of a known form may begin that goes on after its end; -1 when nowhere. */
export function openFormAt(word: string): number {
  for (let at = 0; at < word.length; at++) {
    const first = word.charCodeAt(at)
    if (IS_FIRST[first] !== 1) continue
    const isLast = at === word.length - 1
    const pair = pairAt(word, at)
    if (!isLast && IS_PAIR[pair] !== 1) continue
    const candidates = isLast ? HEADS_BY_FIRST.get(first) : BY_PAIR.get(pair)
    if (candidates?.some((one) => isOpen(word, at, one))) return at
  }
  return -1
}

function isOpen(word: string, at: number, { head, form, rest }: Head): boolean {
  const left = word.length - at
  const isGlued = form.glued || canBeGlued(head)
  // A glued head counts from its third letter on: every word ends with the first of one.
  if (left < head.length) return head.startsWith(word.slice(at)) && ((isGlued && left > 2) || isBoundary(word, at))
  return word.startsWith(head, at) && (isGlued || isBoundary(word, at)) && rest.test(word.slice(at + head.length))
}

/** How keys of a known form begin: a mask keeps this. */
export const HEADS: readonly string[] = FORMS.flatMap(({ heads }) => heads)
