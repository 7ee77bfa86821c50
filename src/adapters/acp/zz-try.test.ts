import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { test } from 'vitest'
import { acpAdapter } from '/work/main/src/adapters/acp/index.ts'
import { replay } from '/work/main/src/engine/replay.ts'
import { capabilities } from '/work/main/test/support/adapters.ts'

const root = '/work/shared/recordings'
const profiles: any = {
  copilot: { usageScope: 'process', errorText: [/^Error: /], noticeText: [/^Info: /] },
  gemini: { noticeText: [/^\[MODE_UPDATE\]/] },
  kimi: { toolName: 'title' },
}
test('all', () => {
  for (const agent of readdirSync(root))
    for (const f of readdirSync(`${root}/${agent}`)) {
      if (!/\.acp\.jsonl$/.test(f) && !/^acp.*(session|stdout)\.jsonl$/.test(f)) continue
      const manifest: any = {
        agent,
        displayName: agent,
        cliCommand: agent,
        capabilities: capabilities(agent),
        models: [],
        configSchema: {},
        auth: {},
      }
      const A = acpAdapter(manifest, { args: [], ...profiles[agent] })
      const { events, result } = replay(
        new A(),
        { stdout: readFileSync(`${root}/${agent}/${f}`) },
        { runId: '0'.repeat(26), now: () => 0 },
      )
      console.log(
        agent,
        f,
        JSON.stringify({
          o: result.outcome,
          t: result.text.slice(0, 60),
          s: result.sessionId,
          m: result.model,
          u: result.tokenUsage && [
            result.tokenUsage.inputTokens,
            result.tokenUsage.outputTokens,
            result.tokenUsage.cacheReadTokens,
          ],
          c: result.cost?.totalUsd,
          n: result.turnCount,
          x: result.unrecognized,
        }),
      )
      if (process.env.SHOW === `${agent}/${f}`)
        for (const e of events) {
          const { runId, agent: a, timestamp, accumulated, ...r } = e as any
          console.log(JSON.stringify(r).slice(0, 300))
        }
    }
})
