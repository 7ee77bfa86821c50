import { lstatSync, type Stats, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { AgentMuxError } from '../contract/errors.ts'
import { quoteWord } from '../core/command-line.ts'

const STICKY = 0o1000
const OTHERS_ENTER = 0o001
const OTHERS_WRITE = 0o002
const FOREIGN_WRITE = 0o022

/** Where there are no owners, as on Windows, there is nothing to compare. */
function ownUid(): number | null {
  return process.getuid?.() ?? null
}

/**
 * Throws when a directory of ours may be somebody else's: another owner, or one that others can write to, also above
 * it. The owner of it could read what we keep there, and answer in our name.
 */
export function requireOwnDirectory(path: string, what: string): void {
  const uid = ownUid()
  if (uid === null) return
  const link = lstatSync(path)
  // A link of ours may lead to another disk; a link of another user leads where that user wants.
  if (link.isSymbolicLink() && link.uid !== uid) throw foreign(path, what, `a link that belongs to user ${link.uid}`)
  const stats = statSync(path)
  if (!stats.isDirectory()) throw refusal(`${path} is not a directory`, `Move it away: ${what} belongs there.`)
  if (stats.uid !== uid) throw foreign(path, what, `it belongs to user ${stats.uid}, not to you (${uid})`)
  if ((stats.mode & FOREIGN_WRITE) !== 0) throw writable(path, what, stats)
  requireSafeParents(path, what)
}

/** Who can write to a directory above can put another one in its place, unless it is sticky, as /tmp is. */
function requireSafeParents(path: string, what: string): void {
  for (let parent = dirname(resolve(path)), last = ''; parent !== last; last = parent, parent = dirname(parent)) {
    const stats = statSync(parent)
    const isOpen = (stats.mode & OTHERS_WRITE) !== 0 && (stats.mode & STICKY) === 0
    if (isOpen) throw writable(parent, what, stats)
  }
}

/** Throws unless it is a plain file of ours that nobody else can read or write. */
export function requireOwnFile(path: string, what: string, forbidden: number = 0o077): void {
  const uid = ownUid()
  if (uid === null) return
  const stats = lstatSync(path)
  if (!stats.isFile()) throw refusal(`${path} is not a plain file`, `Remove it: ${what} belongs there.`)
  if (stats.uid !== uid) throw foreign(path, what, `it belongs to user ${stats.uid}, not to you (${uid})`)
  if ((stats.mode & forbidden) === 0) return
  const hint = `Others may have used it. Remove it and a new one is made, or, if you are sure: chmod 600 ${quoteWord(path)}`
  throw refusal(`${path} is open to other users (mode ${modeOf(stats)})`, hint)
}

/** Whether other users can enter all directories above: with an umask of 0 everything in a private home is writable. */
function othersReach(path: string): boolean {
  const above = dirname(path)
  return above === path || ((statSync(above).mode & OTHERS_ENTER) !== 0 && othersReach(above))
}

/**
 * Throws when another user may have written a file of the user's settings, as ssh does. The system's are fine, and so is a
 * group that can write: it often is the user's own.
 */
export function requireOwnSettings(path: string): void {
  const uid = ownUid()
  if (uid === null) return
  for (const one of [dirname(path), path]) {
    const stats = statSync(one)
    const hint = 'Settings decide which commands run, so only you may be able to write them.'
    if (stats.uid !== uid && stats.uid !== 0)
      throw refusal(
        `${one} belongs to user ${stats.uid}, not to you (${uid})`,
        `${hint} chown ${uid} ${quoteWord(one)}`,
      )
    const isOpen = (stats.mode & OTHERS_WRITE) !== 0 && (stats.mode & STICKY) === 0
    if (isOpen && othersReach(one))
      throw refusal(
        `${one} can be written by every user (mode ${modeOf(stats)})`,
        `${hint} chmod o-w ${quoteWord(one)}`,
      )
  }
}

function foreign(path: string, what: string, why: string): AgentMuxError {
  return refusal(`${path} is not used for ${what}: ${why}`, 'Remove it, or choose another place: AGENT_MUX_DATA_DIR.')
}

function writable(path: string, what: string, stats: Stats): AgentMuxError {
  const message = `${path} is not safe for ${what}: other users can write to it (mode ${modeOf(stats)})`
  return refusal(message, `chmod go-w ${quoteWord(path)}`)
}

function modeOf({ mode }: Stats): string {
  return (mode & 0o7777).toString(8).padStart(4, '0')
}

function refusal(message: string, hint: string): AgentMuxError {
  return new AgentMuxError('CONFIG_ERROR', message, { hint })
}
