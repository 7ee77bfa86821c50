// What the last week has cost, by model, and the sessions that cost most.
import { createClient } from 'agent-mux'

const { sessions } = createClient()
const since = new Date(Date.now() - 7 * 24 * 3600 * 1000)
const { breakdowns = {}, totalUsd } = await sessions.totalCost({ since, groupBy: 'model' })
for (const [model, figures] of Object.entries(breakdowns)) {
  console.log(model.padEnd(30), figures.totalUsd === null ? 'unpriced' : `$${figures.totalUsd.toFixed(2)}`)
}
console.log('total'.padEnd(30), totalUsd === null ? 'unpriced' : `$${totalUsd.toFixed(2)}`)

for (const { unifiedId, title, cost } of await sessions.list({ since: '7d', sort: 'cost', limit: 5 })) {
  console.log(unifiedId, title, cost?.totalUsd ?? 'unknown')
}
sessions.close()
