import { z } from 'zod'

/** Something of ours that nobody seems to need any more. */
export const leftover = z.strictObject({
  kind: z.enum(['worktree', 'ref', 'launch', 'runner', 'registration', 'spool']),
  path: z.string(),
  why: z.string(),
  next: z.string().describe('What can be done about it'),
})

export type Leftover = z.infer<typeof leftover>
