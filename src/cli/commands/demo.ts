import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { subjects } from '../../adapters/subjects.ts'
import type { AgentCapabilities } from '../../contract/capabilities.ts'
import { AgentMuxError } from '../../contract/errors.ts'
import type { RunHandle } from '../../contract/run-handle.ts'
import type { ApprovalMode } from '../../contract/run-options.ts'
import type { AgentMuxClient } from '../../mux/client.ts'
import { findBinary } from '../../process/find-binary.ts'
import type { Scenario } from '../../scripted/index.ts'
import { installPrivately } from '../../toolchain/private-install.ts'
import { withBench } from '../../verify/bench.ts'
import { AGENT_FLAG, defineCommand, refuseExtra } from '../command.ts'
import { exitCodeOfOutcome } from '../exit-codes.ts'
import { type Output, widthOf } from '../output.ts'
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
is real. With --agent, any agent of the list that is proven; without, one that is installed, Codex first, else a private
copy of Codex (open source) from npm in our cache.`,
  flags: {
    ...AGENT_FLAG,
    keep: { type: 'boolean', about: 'Keep the scratch repository and say where it is' },
    private: { type: 'boolean', about: 'Use the private copy even when one is installed' },
  },
  examples: ['amux demo', 'amux demo --keep', 'amux demo --agent claude'],
  async run({ args, flags }, { output, client }) {
    refuseExtra(args, 0)
    const mux = await client(flags)
    const atHand = flags.private ? [] : demoAgents(mux).filter(({ isHere }) => isHere)
    const agent = flags.agent ?? atHand[0]?.agent ?? DEFAULT_AGENT
    const adapter = await mux.adapters.load(agent)
    const subject = subjects[agent]
    const version = adapter.manifest?.provenVersion
    if (!subject || subject.account || version === undefined) {
      const names = demoAgents(mux).map((one) => one.agent)
      throw new AgentMuxError('CAPABILITY_ERROR', `There is no demo for ${agent}`, {
        hint: `There is one for ${names.join(', ')}.`,
      })
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
      const result = await show(bench.start({ prompt, approvalMode: modeFor(adapter.capabilities) }), view)
      const written = readIfThere(join(bench.cwd, FILE))
      if (written === null)
        throw new AgentMuxError('INTERNAL', `The agent ended (${result.outcome.kind}) without ${FILE}`)
      say(`\n${FILE} in the repository:\n\n${written.replace(/^/gm, '  ')}`)
      say(`${bench.server.requests.length} requests were answered on ${bench.server.url}; no key, no network, no cost.`)
      if (flags.keep) say(`Kept: ${bench.cwd}`)
      const others = atHand.filter((one) => one.agent !== agent).map((one) => one.agent)
      if (others.length > 0) say(`Also installed here: ${others.join(', ')} (amux demo --agent ${others[0]})`)
      return exitCodeOfOutcome(result.outcome.kind)
    })
  },
})

const DEFAULT_AGENT = 'codex'

/** All that have a demo, those of the user first, and of those the default. */
function demoAgents({ adapters }: AgentMuxClient): { agent: string; isHere: boolean }[] {
  return adapters
    .list()
    .filter(({ agent, verification }) => subjects[agent] && !subjects[agent].account && verification === 'verified')
    .map(({ agent, cliCommand }) => ({ agent, isHere: findBinary(cliCommand, process.env) !== null }))
    .sort((a, b) => rank(a) - rank(b))
}

function rank({ agent, isHere }: { agent: string; isHere: boolean }): number {
  return (isHere ? 0 : 2) + (agent === DEFAULT_AGENT ? 0 : 1)
}

/** The work goes to stdout here, terminal or not: it is what the demo is for. */
function viewFor(output: Output, agent: string, cwd: string): RunView {
  if (output.json) return eventLines(output)
  return new RunRenderer({
    live: output.stdout.isTTY === true,
    log: (text) => output.write(text),
    answer: (text) => output.write(text),
    paint: output.paint(),
    width: widthOf(output.stdout),
    cwd,
    debug: false,
    agent,
  })
}

/** Its own permissions where it can ask for them: they are part of what there is to see. It is a scratch repository. */
function modeFor({ supportsApprovals, approvalModes }: AgentCapabilities): ApprovalMode {
  return supportsApprovals && approvalModes.includes('prompt') ? 'prompt' : 'yolo'
}

/** The demo says yes to whatever the agent asks for: nobody is there to answer. */
async function show(handle: RunHandle, view: RunView) {
  handle.interaction.onPending(({ id }) => handle.interaction.respond(id, { type: 'approve' }))
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
