// The same task for two agents, each in a worktree of its own. Their work stays on branches, to be compared.
import { createClient, type RunResult } from 'agent-mux'

await using mux = createClient()
const prompt = process.argv[2] ?? 'Add a test for the parser'

async function attempt(agent: string): Promise<{ branch: string; result: RunResult }> {
  const worktree = await mux.worktrees.create({ name: `try-${agent}-${Date.now()}` })
  const result = await mux.run({ agent, prompt, cwd: worktree.path, approvalMode: 'accept-edits', maxCostUsd: 2 })
  return { branch: worktree.branch, result }
}

for (const { branch, result } of await Promise.all(['claude', 'codex'].map(attempt))) {
  console.log(branch, result.outcome.kind, result.cost?.totalUsd ?? 'unpriced')
}
