import { extname, resolve } from 'node:path'
import type { ExportFormat } from '../../../contract/session-manager.ts'
import { atomicWrite } from '../../../files/atomic-write.ts'
import { choice, defineCommand, refuseExtra, usageError } from '../../command.ts'

const FORMATS = ['markdown', 'json', 'jsonl'] as const

const OF_EXTENSION: Readonly<Record<string, ExportFormat>> = { '.json': 'json', '.jsonl': 'jsonl', '.ndjson': 'jsonl' }

export const command = defineCommand({
  usage: 'sessions export ID',
  about: 'Markdown to read, JSON as it is known to us, or JSON lines: a header and then one message a line.',
  flags: {
    format: { type: 'string', value: 'FORMAT', about: 'markdown, json or jsonl', choices: FORMATS },
    output: { type: 'string', short: 'o', value: 'FILE', about: 'Write it there; the name may give the format' },
  },
  examples: ['amux sessions export db77 > talk.md', 'amux sessions export db77 -o talk.jsonl'],
  async run({ args: [id, ...rest], flags }, { output, client }) {
    refuseExtra(rest, 0)
    if (id === undefined)
      throw usageError('Which session? amux sessions export ID', '`amux sessions list` shows the ids.')
    const { sessions } = await client(flags)
    const { agent, sessionId } = await sessions.resolve(id)
    const file = flags.output
    const format = choice('--format', flags.format, FORMATS) ?? OF_EXTENSION[extname(file ?? '')] ?? 'markdown'
    const text = await sessions.export(agent, sessionId, format)
    sessions.close()
    if (file === undefined) {
      output.result({ agent, sessionId, format, text }, text)
      return 0
    }
    await atomicWrite(resolve(file), text)
    output.result({ agent, sessionId, format, file: resolve(file) }, `Wrote ${file}.`)
    return 0
  },
})
