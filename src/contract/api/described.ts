import { z } from 'zod'

/** A shape that TypeScript knows already. The API's document names it and leaves its fields to the types. */
export function described<Type>(title: string, json: 'object' | 'array' = 'object') {
  return z.custom<Type>().meta({ title, type: json })
}
