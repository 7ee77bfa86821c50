import { walkFiles } from './walk.ts'

/** The accepted files below a directory: absolute, sorted. What is missing or may not be read counts as empty. */
export async function listFiles(directory: string, accept: (relativePath: string) => boolean): Promise<string[]> {
  return walkFiles(directory, accept).files.map(({ path }) => path)
}
