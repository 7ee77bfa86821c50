import type { AuthSetupGuidance } from '../contract/auth.ts'

/** The steps to sign in, indented below whatever heading the caller gives. */
export function guidanceLines({ steps, documentationUrls }: AuthSetupGuidance): string[] {
  return [
    ...steps.map(({ step, description, command }) => `  ${step}. ${description}${command ? `: ${command}` : ''}`),
    ...documentationUrls.map((url) => `  See ${url}`),
  ]
}
