/** A part of a text that is a secret. */
export interface Span {
  start: number
  end: number
  /** Where the text begins that identifies it, when that comes before it. */
  from?: number
}

export type Find = (text: string) => Span[]

/** In order, none touching another's inside. */
export function merged(spans: Span[]): Span[] {
  if (spans.length < 2) return spans
  const rest = spans.toSorted((a, b) => a.start - b.start || a.end - b.end)
  const done: Span[] = []
  let last: Span | undefined
  for (const span of rest) {
    if (last && span.start < last.end) {
      last.end = Math.max(last.end, span.end)
      last.from = Math.min(last.from ?? last.start, span.from ?? last.start)
    } else {
      last = { ...span }
      done.push(last)
    }
  }
  return done
}

/** The text with something else in place of each span. */
export function replaceSpans(text: string, spans: readonly Span[], replacement: (secret: string) => string): string {
  let out = ''
  let at = 0
  for (const { start, end } of spans) {
    out += text.slice(at, start) + replacement(text.slice(start, end))
    at = end
  }
  return out + text.slice(at)
}

/** The latest place up to `cut` at which the text can be parted without parting a secret. */
export function cutBefore(spans: readonly Span[], cut: number): number {
  const parted = spans.find(({ start, end }) => start < cut && cut < end)
  return parted ? parted.start : cut
}
