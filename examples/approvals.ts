// An approvals bot: rules answer what they can, code the rest. The same rules work for every agent that asks.
import { type ApprovalRequestEvent, createClient, type Policy } from 'agent-mux'

const policy: Policy = {
  version: 1,
  rules: [
    { allow: { kind: 'read' } },
    { allow: { command: 'npm test*' } },
    { deny: { path: '/**/.env' }, reason: 'secrets stay where they are' },
  ],
}

/** What no rule decides: edits of tests are fine. */
function decide({ kind, paths = [] }: ApprovalRequestEvent): 'approve' | 'deny' {
  return kind === 'edit' && paths.length > 0 && paths.every((path) => path.includes('/test/')) ? 'approve' : 'deny'
}

await using mux = createClient()
const run = mux.run({
  agent: process.argv[2] ?? 'claude',
  prompt: process.argv[3] ?? 'Add a test for the parser',
  policy,
  onApprovalRequest: decide,
})
run.on('approval_granted', ({ by, reason }) => console.log('granted by', by ?? 'us', reason ?? ''))
run.on('approval_denied', ({ by, reason }) => console.log('denied by', by ?? 'us', reason ?? ''))
const { outcome } = await run
process.exitCode = outcome.kind === 'completed' ? 0 : 1
