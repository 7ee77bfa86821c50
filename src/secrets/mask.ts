import { HEADS } from './find-forms.ts'

/** What a mask leaves as it is, since by it a secret is known for one. */
const MARKS = new RegExp(
  `^(?:${HEADS.map((head) => head.replace('.', '\\.')).join('|')})|(?<=\\.)eyJ|(?:BEGIN|END) [A-Z ]*-----`,
  'g',
)

/**
 * A text as long as the secret and of its form, which reveals nothing of it. What is done with secrets is done with it in
 * the same way: a log whose secrets were masked leads to the same records.
 */
export function maskOf(secret: string): string {
  // The text may be JSON itself: what is after a backslash stays.
  let masked = secret.replace(/\\.|[a-zA-Z0-9]/g, (one) => (one.length > 1 ? one : classOf(one)))
  for (const { index, 0: mark } of secret.matchAll(MARKS)) {
    masked = masked.slice(0, index) + mark + masked.slice(index + mark.length)
  }
  return masked
}

function classOf(character: string): string {
  if (/[0-9]/.test(character)) return '0'
  return /[a-z]/.test(character) ? 'a' : 'A'
}

const WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6]/

/** For a screen: a text that takes as many cells as the secret, and reveals only that it was there. */
export function cellMaskOf(secret: string): string {
  return secret.replace(/[^\s\p{M}\p{Cc}]/gu, (one) => {
    if (one.length > 1) return '**' // beyond the basic plane nearly all are pictures, two cells wide
    return WIDE.test(one) ? '\uff0a' : '*'
  })
}
