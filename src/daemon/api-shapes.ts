/**
 * Made of our types by `npm run api-shapes`. Files of the package are named only in modules two folders below its root:
 * that is also where the bundled programs are.
 */
export const API_SHAPES = new URL('../../data/api-shapes.json', import.meta.url)
