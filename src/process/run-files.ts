import { mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { RunFile } from '../contract/spawn.ts'
import type { Place } from './place.ts'

const FILE_REFERENCE = /\{file:([\w./-]+)\}/g

/** The files of one run while its agent lives. */
export interface RunFiles {
  /** Puts paths in place of `{file:<name>}`. */
  fill(text: string): string
  remove(): Promise<void>
}

function prefixOf(runId: string): string {
  return `agent-mux-${runId}-`
}

export async function writeRunFiles(place: Place, files: readonly RunFile[], runId: string): Promise<RunFiles> {
  if (files.length === 0) return { fill: (text) => text, remove: async () => {} }
  const paths = new Map<string, string>()
  // mkdtemp makes the directory 0700: these files may hold keys of MCP servers.
  const directory = await mkdtemp(join(tmpdir(), prefixOf(runId)))
  for (const file of files) {
    const path = join(directory, file.name)
    for (let name = file.name; name !== '.'; name = dirname(name)) paths.set(name, join(directory, name))
    if (file.link === undefined) {
      await place.write(path, file.content, true)
      continue
    }
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    if (file.makesDirectory) await mkdir(file.link, { recursive: true, mode: 0o700 })
    await symlink(file.link, path, 'junction')
  }
  return {
    fill: (text) => text.replace(FILE_REFERENCE, (whole, name: string) => paths.get(name) ?? whole),
    remove: () => rm(directory, { recursive: true, force: true }),
  }
}

/** What a run has left whose driver was killed. */
export async function removeRunFiles(runId: string): Promise<void> {
  const names = await readdir(tmpdir()).catch(() => [])
  for (const name of names) {
    if (name.startsWith(prefixOf(runId))) await rm(join(tmpdir(), name), { recursive: true, force: true })
  }
}
