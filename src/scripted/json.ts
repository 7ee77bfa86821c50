/** Reads an unknown JSON value as an object; anything else is an empty one. */
export const asObject = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}

export const asArray = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

export const asString = (value: unknown): string => (typeof value === 'string' ? value : '')

/** The text of a string or of an array of parts that have a `text`, in every wire's spelling. */
export const textParts = (content: unknown): string[] =>
  typeof content === 'string'
    ? [content]
    : asArray(content)
        .map((part) => (typeof part === 'string' ? part : asString(asObject(part).text)))
        .filter((text) => text !== '')

export const textOf = (content: unknown): string => textParts(content).join('\n')
