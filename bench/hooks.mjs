import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ensureCallback } from '../dist/hooks/callback.js'
import { cpuOf } from './cpu.mjs'

const TIMES = 40
const root = fileURLToPath(new URL('..', import.meta.url))

/** What a hook costs the agent that waits for it, in CPU, against an empty Node. */
export async function measure() {
  const dataDir = mkdtempSync(join(tmpdir(), 'amux-bench-hooks-'))
  try {
    const script = await ensureCallback(dataDir)
    const payload = join(dataDir, 'payload.json')
    writeFileSync(payload, JSON.stringify({ hook_event_name: 'PostToolUse', tool_response: 'x'.repeat(16_384) }))
    const ours = `AMUX_SESSION_ID=bench AMUX_LAUNCH=1 AGENT_MUX_DATA_DIR=${dataDir}`
    const node = cpuOf('node -e 0')
    const delivered = cpuOf(`${ours} ${script} claude PostToolUse <${payload}`, TIMES)
    const notOurs = cpuOf(`${script} claude PostToolUse <${payload}`, TIMES)
    const inNode = cpuOf(`${ours} node ${root}bin/amux.js hooks claude PostToolUse <${payload}`)
    const waiting = readdirSync(join(dataDir, 'spool')).filter((name) => name.endsWith('.hook')).length
    if (waiting !== TIMES + 15) throw new Error(`${waiting} hooks were delivered, not ${TIMES + 15}`)
    return [
      ratio('a hook as installed', delivered, node, 0.2),
      ratio('a hook of a session that is not ours', notOurs, node, 0.1),
      ratio('`amux hooks <agent> <event>`', inNode, node, 1.6),
    ]
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

function ratio(what, cost, node, limit) {
  const detail = `${cost.toFixed(1)} ms against ${node.toFixed(1)} ms CPU`
  return { what, value: cost / node, limit, unit: ' × node -e 0', detail }
}
