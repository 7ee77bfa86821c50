import type { Readable, Writable } from 'node:stream'
import type { Spawner } from '../contract/adapter.ts'
import type { TerminalSize } from '../contract/launch.ts'

/** A command, ready to start: nothing of it is looked up or filled in any more. */
export interface PlaceCommand {
  command: string
  args: readonly string[]
  cwd: string
  env: Record<string, string>
  /** One line for a shell instead of a program with arguments. */
  shell?: boolean
}

/** A process with pipes, in a process group of its own. */
export interface PlaceChild {
  readonly pid?: number
  readonly stdin: Writable
  readonly stdout: Readable
  readonly stderr: Readable
  readonly exitCode: number | null
  readonly signalCode: string | null
  on(event: 'error', listener: (error: Error) => void): unknown
  once(event: 'error', listener: (error: Error) => void): unknown
  once(event: 'exit' | 'close', listener: () => void): unknown
}

export interface PtyRequest extends TerminalSize, PlaceCommand {}

export interface PtyExit {
  exitCode: number | null
  signal: string | null
}

/** A program in a pseudo terminal. It leads a session and a process group of its own. */
export interface PtyProcess {
  readonly pid: number
  readonly exited: Promise<PtyExit>
  onData(listener: (text: string) => void): void
  write(text: string): void
  resize(size: TerminalSize): void
  /** Lets the program wait with its output, and go on. */
  pause(): void
  resume(): void
}

/**
 * Where agents and their tools run. Everything that starts one, or writes a file for it, asks a place; nobody else knows
 * whether it is this machine.
 */
export interface Place {
  /** Absolute path of a command, or null. Synchronous, because `run()` reports a missing one before it returns. */
  find(command: string, env: Readonly<Record<string, string | undefined>>): string | null
  /** Rejects when there is no process to speak of. A command that is not there is an `error` of the child. */
  spawn(command: PlaceCommand): Promise<PlaceChild>
  /** Rejects with PTY_NOT_AVAILABLE where there are no terminals. */
  pty(request: PtyRequest): Promise<PtyProcess>
  /** A short command to its end: bounded in time and output, its stdin closed. */
  run: Spawner
  read(path: string): Promise<string>
  /** Makes the directories that are missing. What is private can be read by this user alone. */
  write(path: string, content: string, isPrivate: boolean): Promise<void>
}
