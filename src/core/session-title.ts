/** The first words of the user, on one line. */
export function sessionTitle(text: string): string {
  return text.trim().replace(/\s+/g, ' ').slice(0, 100)
}
