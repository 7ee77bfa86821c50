import { setTimeout as sleep } from 'node:timers/promises'
import { within } from '../core/within.ts'
import type { Attempt } from './attempt.ts'

/** How long an agent may take to end its turn when it is interrupted. It then asks for nothing more. */
const TURN_END_MS = 1500
/** The same for one that is ended for another reason than its costs. */
const CALM_MS = 500
/** How long an agent is held still for a look into its store, and how long it then goes on at most if nothing was there. */
const HOLD_MS = 150
const BREATH_MS = 80
/** Within a breath: on a busy machine the agent gets little of it, on an idle one it would get far. */
const LOOK_MS = 5
const MOST_HOLDS = 5
/** An agent that does not obey its interrupt may go on asking after it was asked to end. */
const LEAVE_MS = 100
/**
 * One without an interrupt is not asked to leave: its tools would be ended with it, and what takes long to leave takes that
 * for their result and asks for more (Cline 3.0). It is stopped, so that nothing more comes of it.
 */
const AT_ONCE = 0

type Held = Pick<Attempt, 'signal'>

export interface WindDownPort {
  /** False: the agent's protocol has no interrupt. */
  interrupt(): boolean
  turnOver: Promise<void>
  /** Counts what is in the agent's store. */
  look(): Promise<void>
}

/**
 * Stops an agent from asking for more, in such a way that what it has used is still reported: its protocol's own
 * interrupt where there is one; else it is held while its store is looked at. Resolves to how long it may take to leave
 * then; undefined: as long as any other.
 */
export async function windDown(
  attempt: Held & Pick<Attempt, 'closed'>,
  port: WindDownPort,
): Promise<number | undefined> {
  if (!port.interrupt()) {
    attempt.signal('SIGSTOP')
    await within(HOLD_MS, port.look())
    return AT_ONCE
  }
  attempt.signal('SIGCONT')
  const isOver = await within(TURN_END_MS, Promise.race([port.turnOver, attempt.closed]))
  return isOver ? undefined : LEAVE_MS
}

/**
 * Before an agent is asked to end: its tools are ended with it, and it may take that for their result and ask for more. One
 * that can be interrupted does not.
 */
export async function calmDown(
  attempt: Held & Pick<Attempt, 'closed'>,
  { interrupt, turnOver }: Omit<WindDownPort, 'look'>,
): Promise<void> {
  if (!interrupt()) return
  attempt.signal('SIGCONT')
  await within(CALM_MS, Promise.race([turnOver, attempt.closed]))
}

export interface HoldPort {
  /** Counts what is in the agent's store. */
  look(): Promise<void>
  /** Whether all that must be there by now was found. */
  isCounted(): boolean
  mayGoOn(): boolean
}

/**
 * Holds the agent until what it has used is counted. In between it goes on for moments, or it could not write it down;
 * while it is held, the time runs out for which it keeps that back. False: it was not found.
 */
export async function hold(attempt: Held, { look, isCounted, mayGoOn }: HoldPort): Promise<boolean> {
  for (let round = 0; round < MOST_HOLDS; round++) {
    if (isCounted()) return true
    attempt.signal('SIGSTOP')
    await within(HOLD_MS, look())
    // Longer each time: a disk may be slow, and in each moment between the agent may get further.
    if (!isCounted()) await sleep(HOLD_MS * 2 ** round)
    if (!mayGoOn()) return true
    attempt.signal('SIGCONT')
    for (const end = Date.now() + BREATH_MS; !isCounted() && Date.now() < end; ) {
      await sleep(LOOK_MS)
      await within(HOLD_MS, look())
    }
  }
  return isCounted()
}

/** How often, and how long at most, is looked for what an agent has used while it waits for an answer. */
const COUNTING_MS = 10
const MOST_COUNTING_MS = 5000

/** The agent waits for an answer, and writes down meanwhile what it has used. False: it was not found. */
export async function untilCounted({ look, isCounted, mayGoOn }: HoldPort): Promise<boolean> {
  const deadline = Date.now() + MOST_COUNTING_MS
  while (!isCounted() && mayGoOn() && Date.now() < deadline) {
    await within(HOLD_MS, look())
    if (!isCounted()) await sleep(COUNTING_MS)
  }
  return isCounted()
}
