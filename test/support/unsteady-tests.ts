import { stripVTControlCharacters } from 'node:util'
import type { Reporter, TestCase } from 'vitest/node'

/** Names at the end of a run the tests that passed only the second time, and why not the first: a retry hides nothing. */
export class UnsteadyTests implements Reporter {
  #told: string[] = []

  onTestRunStart(): void {
    this.#told = []
  }

  onTestCaseResult(test: TestCase): void {
    if (test.diagnostic()?.flaky !== true) return
    const [error] = test.result().errors ?? []
    const [why] = stripVTControlCharacters(error?.message ?? 'it said nothing').split('\n')
    this.#told.push(`unsteady: ${test.module.relativeModuleId} > ${test.fullName}: ${why}`)
  }

  onTestRunEnd(): void {
    if (this.#told.length > 0) console.log(`\nFailed once, and passed the second time:\n${this.#told.join('\n')}\n`)
  }
}
