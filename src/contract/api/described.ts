import { z } from 'zod'
import type { ApiShapes } from './shapes.ts'

/** A shape that TypeScript knows already. The API's document has its schema from the type. */
export function described<Name extends keyof ApiShapes>(shape: Name) {
  return z.custom<ApiShapes[Name]>().meta({ title: shape, type: 'object' })
}
