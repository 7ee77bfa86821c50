/** One delivered hook as a file: a line that says whose it is, and below it the payload as the agent wrote it. */

const MAGIC = 'amux-hook 1'
const HEADER = /^amux-hook 1 (\S+) (\S+) (\S+) (\d+)$/

export interface SpoolHeader {
  adapter: string
  event: string
  /** Of the managed session: ours, not the agent's. */
  sessionId: string
  launch: number
}

/** The endings of a file on its way and of one that is whole. */
export const PARTIAL = '.part'
export const WHOLE = '.hook'

export function writeHeader({ adapter, event, sessionId, launch }: SpoolHeader): string {
  return `${MAGIC} ${adapter} ${event} ${sessionId} ${launch}\n`
}

/** Null for a file that is not one of these, or not whole. An empty payload is null: some hooks have none. */
export function readEntry(content: string): (SpoolHeader & { payload: unknown }) | null {
  const end = content.indexOf('\n')
  const [, adapter, event, sessionId, launch] = HEADER.exec(end === -1 ? content : content.slice(0, end)) ?? []
  if (end === -1 || !adapter || !event || !sessionId || !launch) return null
  const body = content.slice(end + 1)
  try {
    const payload: unknown = body.trim() === '' ? null : JSON.parse(body)
    return { adapter, event, sessionId, launch: Number(launch), payload }
  } catch {
    return null
  }
}
