/** A question to an agent's CLI outside of any run, as data: how it is put, and the pure reading of what is printed. */
export interface Inquiry<Answer> {
  args: readonly string[]
  env?: Readonly<Record<string, string>>
  /** Written to its stdin, which then stays open until the answer is there. Without, stdin is closed at once. */
  input?: string
  /** From all that was printed so far. Null: the answer is not there yet. Some print their answers to stderr. */
  read(stdout: string, stderr: string): Answer | null
}
