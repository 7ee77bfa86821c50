import { serializeEvent } from '../../contract/event-guards.ts'
import { isUlid, ulid } from '../../core/ulid.ts'
import { replay } from '../../engine/replay.ts'
import { defineCommand, MODEL_FLAG, refuseExtra, usageError } from '../command.ts'
import { readInput } from '../input.ts'

export const command = defineCommand({
  usage: 'parse <agent> [stdout-file]',
  about: `
Interprets recorded output exactly as a live run would, and prints one event a line and a last line of type
"run_result". Reads standard input without a file, or with "-". Exits 0 whenever the recording could be read,
whatever became of the recorded run: that is in the last line.`,
  flags: {
    ...MODEL_FLAG,
    stderr: { type: 'string', value: 'FILE', about: "The recorded run's stderr" },
    'exit-code': { type: 'string', value: 'N', about: "The recorded run's exit code (default 0)" },
    signal: { type: 'string', value: 'NAME', about: 'The signal that ended it, e.g. SIGTERM' },
    'run-id': { type: 'string', value: 'ULID', about: 'The run id to stamp (default: a new one)' },
  },
  examples: [
    'amux parse claude recording.jsonl',
    'claude -p hello --output-format stream-json --verbose | amux parse claude',
    'amux parse codex out.jsonl --stderr err.txt --exit-code 1 --debug',
  ],
  async run({ args, flags }, { output, client }) {
    refuseExtra(args, 2)
    const [agent, file = '-'] = args
    if (agent === undefined) throw usageError('Name the agent: amux parse <agent> [stdout-file]')
    const runId = flags['run-id'] ?? ulid(Date.now())
    if (!isUlid(runId)) throw usageError(`--run-id must be a ULID, not "${runId}"`)
    const exitCode = readExitCode(flags['exit-code'])
    const adapter = await (await client(flags)).adapters.load(agent)
    const recording = {
      stdout: await readInput(file),
      stderr: flags.stderr === undefined ? undefined : await readInput(flags.stderr),
      exitCode,
      signal: flags.signal,
    }
    const { events, result } = replay(adapter, recording, {
      runId,
      now: Date.now,
      options: { debug: flags.debug, model: flags.model },
    })
    for (const event of events) await output.writeLine(serializeEvent(event))
    await output.writeLine(JSON.stringify({ type: 'run_result', ...result }))
    return 0
  },
})

function readExitCode(value: string | undefined): number | undefined {
  if (value === undefined) return undefined
  if (!/^-?\d+$/.test(value)) throw usageError(`--exit-code must be a whole number, not "${value}"`)
  return Number(value)
}
