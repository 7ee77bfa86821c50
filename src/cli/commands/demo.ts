import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { AgentMuxError } from '../../contract/errors.ts'
import type { RunHandle } from '../../contract/run-handle.ts'
import { findBinary } from '../../process/find-binary.ts'
import type { Scenario } from '../../scripted/index.ts'
import { installPrivately } from '../../toolchain/private-install.ts'
import { subjects } from '../../verify/agents.ts'
import { withBench } from '../../verify/bench.ts'
import { defineCommand, refuseExtra } from '../command.ts'
import { exitCodeOfOutcome } from '../exit-codes.ts'
import type { Output } from '../output.ts'
import { RunRenderer } from '../run/render.ts'
import { eventLines, type RunView } from '../run/view.ts'

const FILE = 'HELLO.md'
const CONTENT = '# Hello\n\nA real coding agent wrote this file with a real tool call. Only the model was scripted.\n'

const SCENARIO: Scenario = {
  name: 'demo',
  description: 'looks around, writes a file, says so',
  turns: [
    [
      {
        thinking: 'A small repository. I will look around first, then write the file.',
        text: 'Let me look at the repository first.',
        tools: [{ intent: 'shell', command: 'sleep 1; pwd; git status --short --branch' }],
        chunkSize: 6,
        chunkDelayMs: 20,
      },
      {
        text: 'Now I write the file.',
        tools: [{ intent: 'write', path: FILE, content: CONTENT }],
        chunkSize: 6,
        chunkDelayMs: 20,
      },
      { text: `Done: ${FILE} is there.`, chunkSize: 6, chunkDelayMs: 20 },
    ],
  ],
}

export const command = defineCommand({
  usage: 'demo',
  about: `
Runs a real coding agent in a scratch git repository, with no key: a scripted server on loopback plays the model, all else
is real. Uses the Codex CLI (open source): yours if it is installed, else a private copy from npm in our cache.`,
  flags: {
    keep: { type: 'boolean', about: 'Keep the scratch repository and say where it is' },
    private: { type: 'boolean', about: 'Use the private copy even when one is installed' },
  },
  examples: ['amux demo', 'amux demo --keep', 'amux demo --agent claude'],
  async run({ args, flags }, { output, client }) {
    refuseExtra(args, 0)
    const agent = flags.agent ?? 'codex'
    const mux = await client(flags)
    const adapter = await mux.adapters.load(agent)
    const subject = subjects[agent]
    const version = adapter.manifest?.provenVersion
    if (!subject || subject.account || version === undefined) {
      throw new AgentMuxError('CAPABILITY_ERROR', `There is no demo for ${agent}`, { hint: 'Try: amux demo' })
    }
    const say = (text: string) => output.json || output.write(`${text}\n`)
    const isInstalled = !flags.private && findBinary(adapter.cliCommand, process.env) !== null
    const copy = isInstalled
      ? null
      : await installPrivately({ agent, version, onProgress: (message) => say(`${adapter.displayName}: ${message}`) })
    say(
      `${adapter.displayName} ${copy ? version : '(yours)'} in a scratch repository; a scripted server plays the model\n`,
    )
    const request = {
      agent,
      subject,
      scenario: SCENARIO,
      keep: flags.keep,
      path: process.env.PATH ?? '',
      binDir: copy?.binDir,
    }
    return withBench(request, async (bench) => {
      const prompt = `Write a ${FILE} for this repository.`
      say(`> ${prompt}\n`)
      const view = viewFor(output, adapter.displayName, bench.cwd)
      const result = await show(bench.start({ prompt, approvalMode: 'accept-edits' }), view)
      const written = readIfThere(join(bench.cwd, FILE))
      if (written === null)
        throw new AgentMuxError('INTERNAL', `The agent ended (${result.outcome.kind}) without ${FILE}`)
      say(`\n${FILE} in the repository:\n\n${written.replace(/^/gm, '  ')}`)
      say(`${bench.server.requests.length} requests were answered on ${bench.server.url}; no key, no network, no cost.`)
      if (flags.keep) say(`Kept: ${bench.cwd}`)
      return exitCodeOfOutcome(result.outcome.kind)
    })
  },
})

/** The work goes to stdout here, terminal or not: it is what the demo is for. */
function viewFor(output: Output, agent: string, cwd: string): RunView {
  if (output.json) return eventLines(output)
  return new RunRenderer({
    live: output.stdout.isTTY === true,
    log: (text) => output.write(text),
    answer: (text) => output.write(text),
    paint: output.paint(),
    width: output.width,
    cwd,
    debug: false,
    agent,
  })
}

async function show(handle: RunHandle, view: RunView) {
  for await (const event of handle) await view.event(event)
  const result = await handle.result()
  await view.finish(result)
  return result
}

function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}
