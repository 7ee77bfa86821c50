/**
 * How often something random is tried: `npm test` has a few minutes, `npm run faults` and CI try it more often.
 * What is tried is the same.
 */
export function times(few: number, many: number): number {
  return process.env.THOROUGH ? many : few
}
