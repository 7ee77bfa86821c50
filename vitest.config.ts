import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 120_000,
    // The tests of processes mostly wait, so that one more than the two cores pays.
    maxWorkers: 3,
    typecheck: { enabled: false },
  },
})
