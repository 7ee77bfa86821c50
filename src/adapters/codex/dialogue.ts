import type { Dialogue, Effect } from '../../contract/dialogue.ts'
import type { RunOptions } from '../../contract/run-options.ts'
import { type JsonRecord, parseRecord } from '../../core/json.ts'
import { AppServer } from './app-server.ts'
import { ExecReader } from './exec.ts'
import { usesExec, warnings } from './options.ts'
import { StderrReader } from './stderr.ts'

/** A record of `codex exec --json` has a type; one of the app server has a method or the id of a request. */
function isExecRecord(record: JsonRecord): boolean {
  return record.method === undefined && typeof record.type === 'string'
}

/** Both wires of codex. Which one a record belongs to shows in the record, so recordings need no hint. */
export function createDialogue(options: RunOptions): Dialogue {
  const exec = new ExecReader(options)
  const server = new AppServer(options)
  let isExec = usesExec(options)
  let stderr = new StderrReader(!isExec)

  const readLine = (line: string): Effect[] => {
    const record = parseRecord(line)
    if (record === null) return line.trim() === '' ? [] : [{ unrecognized: 'not-json' }]
    const fromExec = isExecRecord(record)
    if (fromExec !== isExec) {
      isExec = fromExec
      stderr = new StderrReader(!isExec)
    }
    return fromExec ? exec.onRecord(record) : server.onRecord(record)
  }

  return {
    start: () =>
      isExec
        ? warnings(options).map((message) => ({ emit: { type: 'debug', level: 'warn', message } }))
        : server.start(),
    onLine: (line, source) => (source === 'stderr' ? stderr.read(line) : readLine(line)),
    onCommand: (command) => (isExec ? null : server.onCommand(command)),
    busy: () => !isExec && server.busy(),
    onExit: (exit) => (isExec ? exec.onExit(exit) : server.onExit(exit)),
  }
}
