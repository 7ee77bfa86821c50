import { fileURLToPath } from 'node:url'
import { cpuOfEach } from './cpu.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const importing = (module) => `node --input-type=module -e 'import "${module}"'`

/** Start-up cost in CPU, against an empty Node and an empty module. */
export async function measure() {
  const [node, version, empty, library] = cpuOfEach([
    'node -e 0',
    `node ${root}bin/amux.js --version`,
    importing('node:fs'),
    importing(`${root}dist/index.js`),
  ])
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
      value: library / empty,
      // What it was with two adapters (f23ab7c), measured in the same minutes as later trees: 1.60. More
      // adapters must not cost a user who imports the library anything.
      limit: 1.6,
      unit: ' × an empty module',
      detail: `${library.toFixed(0)} ms against ${empty.toFixed(0)} ms CPU`,
    },
  ]
}
