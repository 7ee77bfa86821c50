import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { AgentEvent } from '../../contract/events.ts'
import { type Bench, type Check, must, mustEnd } from '../check.ts'
import { firstTurn } from './sessions.ts'

const TAIL_MS = 15_000

/** Follows a session from outside while its agent takes a turn. */
async function checkTail(bench: Bench): Promise<void> {
  const sessionId = await firstTurn(bench)
  // What cannot be resumed is followed from its only turn on.
  const { canResume } = bench.capabilities
  const [asked, said] = canResume ? ['second words', 'I have seen 2 user turns'] : ['first words', 'this is turn 1']
  const stop = new AbortController()
  const options = { pollMs: 200, signal: stop.signal, turns: canResume ? undefined : 1 }
  const events: AgentEvent[] = []
  const following = (async () => {
    for await (const event of bench.sessions.watch(bench.agent, sessionId, options)) events.push(event)
  })()
  // Its failure is that of the check, which waits for it at the end.
  following.catch(() => undefined)
  const isNotified = (event: AgentEvent) => event.type === 'message_stop' && event.text.includes(said)
  try {
    await until(() => events.length > 0)
    if (canResume) mustEnd(await bench.run({ prompt: asked, sessionId }), 'completed')
    await until(() => events.some(isNotified))
  } finally {
    stop.abort()
    await following
  }
  const prompts = events.flatMap((event) => (event.type === 'turn_start' ? [event.prompt ?? ''] : []))
  must(prompts.length === 1, `${prompts.length} turns were emitted, not the one that was made`)
  must(prompts[0]?.includes(asked) === true, `what the user said is emitted as ${JSON.stringify(prompts[0])}`)
  must(events.some(isNotified), 'no answer was emitted')
  must(events.at(-1)?.type === 'session_end', `the last event is ${events.at(-1)?.type}`)
}

/** Returns when it holds, or when there is no more time: what must hold is said by the checks after it. */
async function until(holds: () => boolean): Promise<void> {
  for (const deadline = Date.now() + TAIL_MS; !holds() && Date.now() < deadline; ) await sleep(50)
}

/** A conversation with another agent, in the form in which that one keeps it. */
const FOREIGN = {
  id: '0b0f3a52-6a0e-4a07-9d6e-2b1f6f1f7c11',
  asked: 'make the blue door',
  said: 'The blue door is made.',
}

function writeForeignSession({ home, cwd, agent }: Bench): string {
  const { id, asked, said } = FOREIGN
  const timestamp = '2026-01-05T10:00:00.000Z'
  const content = [{ type: 'text', text: said }]
  const claude = [
    { type: 'user', uuid: 'u1', sessionId: id, cwd, timestamp, message: { role: 'user', content: asked } },
    { type: 'assistant', uuid: 'a1', sessionId: id, cwd, timestamp, message: { id: 'm1', role: 'assistant', content } },
  ]
  const message = (role: string, text: string) => ({ type: 'message', role, content: [{ type: 'input_text', text }] })
  const codex = [
    { timestamp, type: 'session_meta', payload: { id, timestamp, cwd } },
    { timestamp, type: 'event_msg', payload: { type: 'task_started' } },
    { timestamp, type: 'response_item', payload: message('user', asked) },
    { timestamp, type: 'response_item', payload: message('assistant', said) },
  ]
  const isClaude = agent === 'claude'
  const place = isClaude
    ? `.codex/sessions/2026/01/05/rollout-2026-01-05T10-00-00-${id}.jsonl`
    : `.claude/projects/-x/${id}.jsonl`
  const path = join(home, place)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, (isClaude ? codex : claude).map((line) => `${JSON.stringify(line)}\n`).join(''))
  return isClaude ? 'codex' : 'claude'
}

/** From another agent to this one, and from this one to any other. */
async function checkHandoff(bench: Bench): Promise<void> {
  const from = writeForeignSession(bench)
  const handoff = await bench.sessions.handoff(from, FOREIGN.id, { prompt: 'paint it green' })
  const { text: prompt, continuedFrom } = handoff
  const run = await bench.run({ prompt, continuedFrom })
  mustEnd(run, 'completed')
  const request = bench.sent().at(-1) ?? ''
  for (const part of [FOREIGN.asked, FOREIGN.said, 'paint it green']) {
    must(request.includes(part), `"${part}" of the other conversation was not sent to the model`)
  }
  if (bench.capabilities.sessionPersistence === 'none') return
  const stored = await bench.readSessions()
  const isNotified = bench.tells('session id', false)
  const own = isNotified ? stored.find(({ sessionId }) => sessionId === run.result.sessionId) : stored[0]
  must(own !== undefined, 'the session is not in the store')
  const back = await bench.sessions.handoff(bench.agent, own.sessionId)
  must(back.text.includes(FOREIGN.asked), 'the prompt of the agent is not in a hand-off of its session')
  must(back.text.includes('Hello from the scripted model.'), 'what the agent said is not in a hand-off of its session')
  if (!isNotified) return // without an id there is nothing to keep the lineage by
  const [listed] = (await bench.sessions.list(bench.agent)).filter(({ sessionId }) => sessionId === own.sessionId)
  must(listed?.continuedFrom === continuedFrom, `the list says that it continues ${listed?.continuedFrom}`)
}

export const sessionActions: readonly Check[] = [
  {
    name: 'session-tail',
    title: 'following a session while the agent works',
    scenario: 'multi-turn',
    applies: (c) => c.sessionPersistence !== 'none',
    run: checkTail,
  },
  {
    name: 'handoff',
    title: "taking over another agent's conversation",
    scenario: 'text',
    run: checkHandoff,
  },
]
