import { expect, test } from 'vitest'
import type { Dialogue } from '../../contract/dialogue.ts'
import { createDialogue as continueDialogue } from '../continue/dialogue.ts'
import { createDialogue as copilotDialogue } from '../copilot/dialogue.ts'
import { createDialogue as geminiDialogue } from '../gemini/dialogue.ts'
import { createDialogue as kimiDialogue } from '../kimi/dialogue.ts'
import { createDialogue as qwenDialogue } from '../qwen/dialogue.ts'

/** As written by Continue 1.5.47, Copilot 1.0.102, Gemini 0.61.0, Kimi 2.1.0 and Qwen 0.24.4. */
const STAMP = '2026-11-18 07:36:33.015 [97f54614] [debug]'
const CN_BEGIN = `${STAMP}: Starting file index in directory: /w`
const CN_RETRY = `${STAMP}: Retry attempt {"attempt":0,"delay":856,"error":"429 Rate limit reached for requests"}`
const COPILOT = (status: number) =>
  `2026-11-18T07:27:22.441Z [WARNING] [rust:model_events::producer] Model provider request failed {"stage":"inference","api_endpoint":"/chat/completions","http_status":${status},"failure_kind":"http_error"}`
const GEMINI = '[2026-11-18T07:36:59.429Z] [WARN] Attempt 1 failed with status 429. Retrying with backoff... {}'
const KIMI =
  '{"type":"turn.step.retrying","agentId":"main","turnId":0,"step":1,"failedAttempt":1,"nextAttempt":2,"maxAttempts":10,"delayMs":508,"errorMessage":"Too fast","statusCode":429,"time":1}'
const QWEN =
  '2026-11-18T07:37:03.592Z [WARN] [RETRY] Attempt 2 failed with status 429. Retrying with backoff in 4s... {'

function retries(dialogue: Dialogue, lines: string[]) {
  dialogue.start(options)
  const effects = lines.flatMap((line) => dialogue.onLine(line, 'stderr'))
  return effects.flatMap((effect) => ('emit' in effect && effect.emit.type === 'retry' ? [effect.emit] : []))
}
const options = { agent: 'x', prompt: 'x', cwd: '/w' }

test('the logs of agents that say nothing else report their retries', () => {
  expect(retries(copilotDialogue(options), [COPILOT(429), COPILOT(401), COPILOT(429)])).toMatchObject([
    { attempt: 1, reason: 'status 429' },
    { attempt: 2 },
  ])
  expect(retries(geminiDialogue(options), [GEMINI])).toMatchObject([{ attempt: 1, reason: 'status 429' }])
  expect(retries(qwenDialogue(options), [QWEN])).toMatchObject([{ attempt: 2, reason: 'status 429', delayMs: 4000 }])
  expect(retries(kimiDialogue(options), [KIMI])).toMatchObject([
    { attempt: 1, maxAttempts: 9, reason: '429 Too fast', delayMs: 508 },
  ])
  expect(retries(continueDialogue(options), [CN_BEGIN, CN_RETRY])).toMatchObject([
    { attempt: 1, reason: '429 Rate limit reached for requests', delayMs: 856 },
  ])
})

test('in a log that several processes share, only retries of the own one count', () => {
  const other = (line: string) => line.replace('97f54614', 'aaaaaaaa')
  expect(retries(continueDialogue(options), [CN_RETRY])).toEqual([])
  expect(retries(continueDialogue(options), [CN_BEGIN, other(CN_RETRY)])).toEqual([])
  const elsewhere = other(CN_BEGIN).replace('/w', '/elsewhere')
  expect(retries(continueDialogue(options), [CN_BEGIN, elsewhere, other(CN_RETRY), CN_RETRY])).toHaveLength(1)
  // Two in one directory: nobody can say which is ours.
  expect(retries(continueDialogue(options), [CN_BEGIN, other(CN_BEGIN), CN_RETRY])).toEqual([])
})

test('what Gemini prints when it leaves is in its log already', () => {
  const printed = GEMINI.replace(/^\[\S+\] \[WARN\] /, '')
  expect(retries(geminiDialogue(options), [GEMINI, printed])).toHaveLength(1)
  expect(retries(geminiDialogue({ ...options, nonInteractive: true }), [printed])).toHaveLength(1)
})
