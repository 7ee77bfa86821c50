import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that drive processes first: they take longest and mostly wait, so the quick ones fill what is left at the end. */
export class ProcessesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const drives = ({ moduleId }: TestSpecification) => /\/test\/[^/]+$/.test(moduleId)
    return [...sorted.filter(drives), ...sorted.filter((file) => !drives(file))]
  }
}
