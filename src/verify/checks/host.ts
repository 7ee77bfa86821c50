import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { manifests } from '../../adapters/manifests.ts'
import { createClient } from '../../mux/client.ts'
import { type Check, must, mustEnd } from '../check.ts'

export const host: readonly Check[] = [
  {
    name: 'host',
    title: 'a tool can tell below which agent it runs',
    scenario: 'environment',
    applies: ({ agent }) => (manifests.find((one) => one.agent === agent)?.hostEnvSignals ?? []).length > 0,
    async run(bench) {
      mustEnd(await bench.run({ approvalMode: 'yolo' }), 'completed')
      const file = join(bench.cwd, 'scripted-environment.txt')
      must(existsSync(file), 'the command has not run')
      const env = Object.fromEntries(
        readFileSync(file, 'utf8')
          .split('\n')
          .map((line) => line.split('=', 2)),
      )
      // One of its signals is enough: not every form and version of an agent sets them all.
      const found = createClient().detectHost(env)?.agent
      must(found === bench.agent, `the host is said to be ${found}, by ${Object.keys(env).join(', ')}`)
    },
  },
]
