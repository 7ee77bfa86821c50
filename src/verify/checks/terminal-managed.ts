import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isAgentMuxError } from '../../contract/errors.ts'
import { isRecord } from '../../core/json.ts'
import { type Bench, type Check, must, until } from '../check.ts'
import type { DaemonBench } from '../daemon-bench.ts'
import { dialogKeys } from '../dialog-keys.ts'
import { PageViewer, PersonViewer, visible } from '../terminal-viewers.ts'

const SIZE = { cols: 110, rows: 34 }
const LARGER = { cols: 130, rows: 40 }
const DETACH = '\x1c'
/** A second key is for what the first one has led to. */
const KEY_PAUSE_MS = 1500
const GREETING = 'Hello from the scripted model.'

interface Viewer {
  shown(): Promise<string>
}

async function untilAllShow(viewers: readonly Viewer[], text: string): Promise<void> {
  for (const [index, viewer] of viewers.entries()) {
    const isShown = async () => (await viewer.shown()).includes(text)
    await until(isShown, async () => `viewer ${index + 1} does not show "${text}", but:\n${await viewer.shown()}`)
  }
}

const askedFor = (bench: Bench, ...texts: string[]) =>
  until(
    () => bench.sent().some((request) => texts.every((text) => request.includes(text))),
    () => `the model was not asked with ${texts.join(' and ')}`,
  )

async function mustRefuse(daemon: DaemonBench, id: string, text: string): Promise<void> {
  const refusal = await daemon.client.call('send', { id, text }).then(
    () => null,
    (error: unknown) => error,
  )
  must(isAgentMuxError(refusal), 'a message went into the dialog')
  must(refusal.code === 'INVALID_STATE_TRANSITION', `the message was refused with ${refusal.code}`)
}

/** A hook may report a dialog before it can be seen, and answered. */
async function untilDialogShown(daemon: DaemonBench, id: string): Promise<void> {
  const isShown = async () => {
    const { evidence } = await daemon.client.call('activity', { id })
    return evidence.some((fact) => isRecord(fact) && fact.source === 'screen' && fact.state === 'blocked')
  }
  await until(isShown, async () => `the dialog is not seen on the screen:\n${await screenOf(daemon, id)}`)
}

/** What the screen shows now, in the words of the API. */
async function screenOf(daemon: DaemonBench, id: string): Promise<string> {
  // One that is just starting has none yet.
  return visible(await daemon.client.call('screen', { id }).catch(() => ({ lines: [] })))
}

async function untilSameShown(daemon: DaemonBench, id: string, viewer: Viewer): Promise<void> {
  const isSame = async () => (await viewer.shown()) === (await screenOf(daemon, id))
  const problem = async () => `a viewer sees\n${await viewer.shown()}\ninstead of\n${await screenOf(daemon, id)}`
  await until(isSame, problem)
}

export const terminalManaged: readonly Check[] = [
  {
    name: 'terminal-managed',
    title: 'its screen under the daemon: dialogs, viewers, sizes, a daemon that is killed',
    scenario: 'escalate',
    waits: true,
    applies: (c) => c.supportsTerminal === true && c.supportsApprovals === true,
    async run(bench) {
      bench.writeScreenFiles()
      const daemon = await bench.daemon()
      const options = { approvalMode: 'prompt' as const }
      const { id } = await daemon.spawn({ mode: 'terminal', prompt: 'first words', size: SIZE, options })
      const made = join(bench.cwd, 'made-by-tool.txt')
      const keys = dialogKeys(bench)

      const blocked = await daemon.inState(id, 'blocked')
      must(blocked.title === 'first words', `the title is ${blocked.title}`)
      await mustRefuse(daemon, id, 'y')
      const person = await PersonViewer.open(daemon, SIZE, 'attach', id)
      const page = await PageViewer.open(daemon, id, SIZE)
      await untilDialogShown(daemon, id)
      await untilAllShow([person, page], 'touch made-by-tool.txt')
      for (const data of keys.deny) {
        page.send({ type: 'input', data })
        await sleep(KEY_PAUSE_MS)
      }
      await daemon.inState(id, 'idle')
      must(!existsSync(made), 'the tool ran although it was denied')

      bench.server.use('text')
      await daemon.client.call('send', { id, text: 'second words' })
      await untilAllShow([person, page], GREETING)
      await daemon.inState(id, 'idle')
      bench.server.use('escalate')
      await daemon.client.call('send', { id, text: 'third words' })
      await daemon.inState(id, 'blocked')
      await untilDialogShown(daemon, id)
      must(!existsSync(made), 'the tool ran before it was allowed')
      if (keys.isKnown) await daemon.client.call('answer', { id, interactionId: 'oldest', decision: 'approve' })
      else person.press(keys.approve)
      await until(
        () => existsSync(made),
        () => 'the tool did not run',
      )
      await daemon.inState(id, 'idle')

      bench.server.use('slow')
      await daemon.client.call('send', { id, text: 'fourth words' })
      await askedFor(bench, 'second words', 'fourth words')
      await daemon.inState(id, 'active')
      await untilAllShow([person, page], 'slow words')
      await daemon.client.call('interrupt', { id })
      await daemon.inState(id, 'idle')

      person.resize(LARGER)
      await until(
        () => page.size.cols === LARGER.cols,
        () => `the page did not get the new size, but has ${page.size.cols} columns`,
      )
      await untilSameShown(daemon, id, person)
      await daemon.end('SIGKILL')
      const lost = await person.exited
      must(lost.exitCode !== 0, 'a viewer whose daemon was killed has ended as if nothing were')
      await daemon.serve()
      await daemon.inState(id, 'idle')
      const again = await PersonViewer.open(daemon, LARGER, 'attach', id)
      await untilAllShow([again], 'fourth words')
      await untilSameShown(daemon, id, again)
      again.press(DETACH)
      const left = await again.exited
      must(left.exitCode === 0, `detaching ended with exit code ${left.exitCode}`)

      const runId = await daemon.runIdOf(id)
      const killed = await daemon.client.call('kill', { id })
      must(!killed.isLive && killed.activity.state === 'exited', `after its end it is ${killed.activity.state}`)
      const processes = await bench.processesLeft(runId)
      must(processes.length === 0, `${processes.length} processes are left`)
    },
  },
  {
    name: 'terminal-restore',
    title: 'its screen comes back with its conversation after the agent was killed',
    scenario: 'text',
    waits: true,
    applies: (c) => c.supportsTerminal === true && c.canResume,
    async run(bench) {
      bench.writeScreenFiles()
      const daemon = await bench.daemon()
      const { id, agentSessionId: promised } = await daemon.spawn({
        mode: 'terminal',
        prompt: 'first words',
        size: SIZE,
      })
      await until(
        async () => (await screenOf(daemon, id)).includes(GREETING),
        () => screenOf(daemon, id),
      )
      await daemon.session(id, 'idle with its session known', ({ activity, agentSessionId }) => {
        return activity.state === 'idle' && agentSessionId !== null
      })
      if (promised !== null) {
        // It was given its id, so nobody has to guess which of the conversations in this directory is its own.
        const conversation = async () =>
          JSON.stringify(await bench.sessions.get(bench.agent, promised).catch((error) => String(error)))
        await until(async () => (await conversation()).includes('first words'), conversation)
      }
      await daemon.killAgent(id)
      await daemon.session(id, 'seen to be gone', ({ isLive }) => !isLive)
      const { plan } = await daemon.client.call('restore', { id, options: daemon.secrets })
      must(plan.kind === 'native', `it is restored as ${plan.kind}: ${plan.why}`)
      await until(
        async () => (await screenOf(daemon, id)).includes('first words'),
        () => screenOf(daemon, id),
      )
      await daemon.inState(id, 'idle')
      await daemon.client.call('send', { id, text: 'second words' })
      await askedFor(bench, 'first words', 'second words')
    },
  },
]
