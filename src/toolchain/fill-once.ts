import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** Fills a directory once, whole or not at all. False when it was there already. */
export async function fillOnce(target: string, fill: (scratch: string) => Promise<void>): Promise<boolean> {
  const isComplete = () => existsSync(join(target, 'complete'))
  if (isComplete()) return false
  await mkdir(dirname(target), { recursive: true })
  const scratch = await mkdtemp(join(dirname(target), '.new-'))
  try {
    await fill(scratch)
    await writeFile(join(scratch, 'complete'), `${new Date().toISOString()}\n`)
    await moveIntoPlace(scratch, target, isComplete)
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
  return true
}

/** A rename is atomic, and the second process uses what the first one has put there. */
async function moveIntoPlace(scratch: string, target: string, isComplete: () => boolean): Promise<void> {
  if (!isComplete()) await rm(target, { recursive: true, force: true })
  try {
    await rename(scratch, target)
  } catch (error) {
    if (!isComplete()) throw error
  }
}
