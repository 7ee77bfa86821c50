import { setTimeout as sleep } from 'node:timers/promises'
import { type Bench, type Check, must, mustEnd, mustKeepOrder, mustSay, mustSee } from '../check.ts'

/** Resolves when the model has been asked, and a while after that. */
async function untilAsked(bench: Bench, thenMs: number): Promise<void> {
  for (const deadline = Date.now() + 60_000; bench.sent().length === 0 && Date.now() < deadline; ) await sleep(100)
  await sleep(thenMs)
}

export const live: readonly Check[] = [
  {
    name: 'multi-turn',
    title: 'several turns on one process',
    scenario: 'multi-turn',
    applies: (c) => c.supportsMultiTurn,
    async run(bench) {
      let sent = false
      const run = await bench.run({ prompt: 'first words' }, (event, handle) => {
        if (event.type !== 'turn_end' || sent) return
        sent = true
        void handle.send('second words')
      })
      mustEnd(run, 'completed')
      mustKeepOrder(run)
      must(run.result.turnCount === 2, `${run.result.turnCount} turns, not 2`)
      mustSay(run, 'I have seen 2 user turns')
      mustSay(run, 'first words')
      const { tokenUsage } = run.result
      // Hermes counts the request for a title as well, once it has been answered.
      const served = bench.server.requests.reduce((sum, { usage }) => sum + (usage?.output ?? 0), 0)
      const isCounted = !bench.tells('usage', false) || [50, served].includes(tokenUsage?.outputTokens ?? 0)
      must(isCounted, `${tokenUsage?.outputTokens} output tokens, not 50 or, with helpers, ${served}`)
      const costs = run.events.filter((event) => event.type === 'turn_end').map(({ cost }) => cost?.totalUsd)
      const [first, second] = costs
      if (first !== undefined && second !== undefined) {
        must(Math.abs(first + second - (run.result.cost?.totalUsd ?? 0)) < 1e-9, 'the turns do not add up to the cost')
      }
    },
  },
  {
    name: 'interrupt',
    title: 'interrupt while it writes, then go on',
    scenario: 'slow',
    applies: (c) => c.supportsInterrupt === true,
    async run(bench) {
      let state: 'waiting' | 'interrupted' | 'sent' = 'waiting'
      const run = await bench.run({}, (event, handle) => {
        if (event.type === 'text_delta' && state === 'waiting') {
          state = 'interrupted'
          bench.server.use('text')
          void handle.interrupt()
        } else if (event.type === 'turn_end' && state === 'interrupted') {
          state = 'sent'
          void handle.send('now the other thing')
        }
      })
      mustEnd(run, 'completed')
      mustKeepOrder(run)
      must(run.result.turnCount === 2, `${run.result.turnCount} turns, not 2`)
      mustSay(run, 'Hello from the scripted model.')
    },
  },
  {
    name: 'interrupt-tool',
    title: 'interrupt while a tool runs',
    scenario: 'slow-tool',
    endsByForce: true,
    applies: (c) => c.supportsInterrupt === true,
    async run(bench) {
      let done = false
      let interruptedAt = 0
      let endedAt = 0
      const run = await bench.run({ approvalMode: 'yolo' }, (event, handle) => {
        if (event.type === 'tool_error') endedAt = Date.now()
        if (event.type !== 'shell_start' || done) return
        done = true
        setTimeout(() => {
          interruptedAt = Date.now()
          void handle.interrupt()
        }, 500)
      })
      mustEnd(run, 'cancelled')
      mustSee(run, 'interrupted')
      mustSee(run, 'tool_error')
      must(endedAt - interruptedAt < 20_000, 'the tool was waited for')
    },
  },
  {
    name: 'steer',
    title: 'steer a running turn',
    scenario: 'tool',
    applies: (c) => c.supportsSteer === true,
    async run(bench) {
      let done = false
      const run = await bench.run({ approvalMode: 'yolo' }, (event, handle) => {
        if (event.type !== 'shell_start' || done) return
        done = true
        void handle.steer('steered words')
      })
      mustEnd(run, 'completed')
      must(
        bench.sent().some((body) => body.includes('steered words')),
        'the words were not sent to the model',
      )
    },
  },
  {
    name: 'set-model',
    title: 'change the model between turns',
    scenario: 'text',
    applies: (c) => c.supportsSetModel === true,
    async run(bench) {
      const { alternativeModel } = bench
      let done = false
      const run = await bench.run({}, (event, handle) => {
        if (event.type !== 'turn_end' || done) return
        done = true
        void handle.setModel(alternativeModel).then(() => handle.send('again'))
      })
      mustEnd(run, 'completed')
      const last = bench.sent().at(-1) ?? ''
      must(last.includes(alternativeModel), `the second turn was not sent to ${alternativeModel}`)
    },
  },
  {
    name: 'abort',
    title: 'abort leaves nothing behind',
    scenario: 'slow',
    endsByForce: true,
    async run(bench) {
      const run = await bench.run({ gracePeriodMs: 2000 }, (event, handle) => {
        if (event.type === 'text_delta') void handle.abort()
        // Not every agent reports an answer while it comes.
        if (event.type === 'turn_start') void untilAsked(bench, 3000).then(() => handle.abort())
      })
      mustEnd(run, 'cancelled')
      mustSee(run, 'aborted')
      must(bench.sent().length > 0, 'the model was not asked before')
      must(run.result.exitReason === 'aborted', `the exit reason is ${run.result.exitReason}`)
      const left = await bench.processesLeft(run.result.runId)
      must(left.length === 0, `processes left: ${left.join(', ')}`)
    },
  },
  {
    name: 'abort-tool',
    title: 'abort while a tool runs leaves nothing behind',
    scenario: 'slow-tool',
    endsByForce: true,
    async run(bench) {
      const isNotified = bench.tells('tools', false)
      const running = bench.tells('tool input', false) ? 'shell_start' : 'tool_call_start'
      const run = await bench.run({ approvalMode: 'yolo', gracePeriodMs: 2000 }, (event, handle) => {
        if (isNotified && event.type === running) setTimeout(() => void handle.abort(), 300)
        if (!isNotified && event.type === 'turn_start') void untilAsked(bench, 3000).then(() => handle.abort())
      })
      mustEnd(run, 'cancelled')
      const left = await bench.processesLeft(run.result.runId)
      must(left.length === 0, `processes left: ${left.join(', ')}`)
    },
  },
]
