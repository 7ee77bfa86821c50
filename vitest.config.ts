import { defineConfig } from 'vitest/config'
import { ProcessesFirst } from './test/support/order.ts'
import { UnsteadyTests } from './test/support/unsteady-tests.ts'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // On a busy machine one of thousands may not get its time; which one it was is told at the end.
    retry: 1,
    reporters: ['default', new UnsteadyTests()],
    // To load the same modules anew for each of 200 files was a third of the whole run. So: leave nothing behind in a test.
    isolate: false,
    sequence: { sequencer: ProcessesFirst },
    // The tests of processes mostly wait, so that twice the two cores pays.
    maxWorkers: 4,
    typecheck: { enabled: false },
  },
})
