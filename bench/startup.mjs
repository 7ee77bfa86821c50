import { fileURLToPath } from 'node:url'
import { cpuOf } from './cpu.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Start-up cost in CPU, against an empty Node. */
export async function measure() {
  const node = cpuOf(`node -e 0`)
  const version = cpuOf(`node ${root}bin/amux.js --version`)
  const library = cpuOf(`node --input-type=module -e 'import "${root}dist/index.js"'`)
  const empty = cpuOf(`node --input-type=module -e 'import "node:fs"'`)
  return [
    {
      what: '`amux --version`',
      value: version / node,
      limit: 1.4,
      unit: ' × node -e 0',
      detail: `${version.toFixed(0)} ms against ${node.toFixed(0)} ms CPU`,
    },
    {
      what: "`import 'agent-mux'`",
      value: library - empty,
      limit: 60,
      unit: ' ms',
      detail: `CPU above an empty module, which takes ${empty.toFixed(0)} ms`,
    },
  ]
}
