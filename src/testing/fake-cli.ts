import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Recording } from './recording.ts'

/** What a fake CLI does wrong on purpose. */
export interface Faults {
  /** Write in pieces of this many bytes, so that records and characters are torn apart. */
  pieceBytes?: number
  /** Stop writing after so many lines, and neither exit nor go on. */
  stallAfterLines?: number
  /** Write so many lines and exit in the middle of the next one. */
  cutAfterLines?: number
  ignoreTerm?: boolean
  /** Leave a grandchild behind that holds the pipe open, in a session of its own. */
  leaveGrandchild?: boolean
  /** Bytes that are not UTF-8, as a line of their own before the first record. */
  invalidUtf8?: boolean
  exitCode?: number
}

/** What `createFakeCli` takes. */
export interface FakeCliRequest {
  /** Where to put it; to be placed first on PATH. */
  directory: string
  /** Its name, as the adapter's `cliCommand`. */
  command: string
  recording: Recording
  /** Printed for `--version`. */
  version?: string
  faults?: Faults
}

/** A program that takes the place of a real CLI and replays what that once printed. For what the real one cannot be made to do. */
export function createFakeCli({
  directory,
  command,
  recording,
  version = '99.0.0',
  faults = {},
}: FakeCliRequest): string {
  mkdirSync(directory, { recursive: true })
  const path = join(directory, command)
  const data = {
    stdout: recording.stdout.toString('base64'),
    stderr: recording.stderr.toString('base64'),
    exitCode: faults.exitCode ?? recording.exitCode ?? 0,
    version,
    faults,
  }
  writeFileSync(path, `#!/usr/bin/env node\nconst data = ${JSON.stringify(data)}\n${PROGRAM}`)
  chmodSync(path, 0o755)
  return path
}

/** Runs on its own, without this package: plain CommonJS. */
const PROGRAM = `
const { spawn } = require('node:child_process')
const { writeSync } = require('node:fs')
const { faults } = data
if (process.argv.includes('--version')) {
  console.log(data.version)
  process.exit(0)
}
if (faults.ignoreTerm) process.on('SIGTERM', () => {})
if (faults.leaveGrandchild) spawn('sleep', ['60'], { detached: true, stdio: ['ignore', 'inherit', 'inherit'] }).unref()
const write = (fd, bytes) => {
  for (let done = 0; done < bytes.length; ) {
    try {
      done += writeSync(fd, bytes, done, Math.min(faults.pieceBytes ?? bytes.length, bytes.length - done))
    } catch (error) {
      if (error.code !== 'EAGAIN') throw error
    }
  }
}
write(2, Buffer.from(data.stderr, 'base64'))
if (faults.invalidUtf8) write(1, Buffer.from([0xff, 0xfe, 0xc3, 0x28, 0x0a]))
const lines = Buffer.from(data.stdout, 'base64').toString('latin1').split('\\n')
const stop = faults.stallAfterLines ?? faults.cutAfterLines ?? lines.length
write(1, Buffer.from(lines.slice(0, stop).join('\\n') + (stop < lines.length ? '\\n' : ''), 'latin1'))
if (faults.cutAfterLines !== undefined) write(1, Buffer.from((lines[stop] ?? '').slice(0, 10), 'latin1'))
if (faults.stallAfterLines === undefined) process.exit(data.exitCode)
setInterval(() => {}, 1000)
`
