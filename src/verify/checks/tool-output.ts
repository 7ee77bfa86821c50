import { type Check, must, mustEnd, mustSay, mustSee } from '../check.ts'

/** What a command prints is in its result, though it is piped and the command goes on after it. */
export const toolOutput: readonly Check[] = [false, true].map((nonInteractive) => ({
  name: nonInteractive ? 'one-shot-tool-output' : 'tool-output',
  title: `the output of a slow, piped command${nonInteractive ? ', one-shot' : ''}`,
  scenario: 'piped-tool',
  applies: ({ supportsNativeTools }) => supportsNativeTools,
  async run(bench) {
    const run = await bench.run({ approvalMode: 'yolo', nonInteractive })
    mustEnd(run, 'completed')
    mustSay(run, 'The slow command has run.')
    if (!bench.tells('tools', nonInteractive) || !bench.tells('command output', nonInteractive)) return
    const { output } = mustSee(run, 'tool_result')
    must(JSON.stringify(output).includes('scripted-piped-output'), `the result is ${JSON.stringify(output)}`)
  },
}))
