// `await using`: whatever happens, the agent is ended and the client lets go of what it holds.
import { createClient } from 'agent-mux'

await using mux = createClient()
await using run = mux.run({
  agent: 'claude',
  prompt: process.argv[2] ?? 'Say hello',
  signal: AbortSignal.timeout(120_000),
})

for await (const text of run.textStream) process.stdout.write(text)
const { outcome, cost } = await run
console.log(`\n${outcome.kind}${cost ? `, $${cost.totalUsd}` : ''}`)
