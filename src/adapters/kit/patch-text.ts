import type { Effect } from '../../contract/dialogue.ts'

const SECTION = /^\*\*\* (Add|Update|Delete) File: (.+)$/
const MOVE = /^\*\*\* Move to: (.+)$/
const END = /^\*\*\* End Patch/

interface Section {
  action: string
  path: string
  movedTo?: string
  lines: string[]
}

function sectionsOf(patch: string): Section[] {
  const sections: Section[] = []
  for (const line of patch.split(/\r?\n/)) {
    const [, action, path] = SECTION.exec(line) ?? []
    const current = sections.at(-1)
    if (action !== undefined && path !== undefined) sections.push({ action, path: path.trim(), lines: [] })
    else if (END.test(line)) break
    else if (current) {
      const movedTo = MOVE.exec(line)?.[1]
      if (movedTo === undefined) current.lines.push(line)
      else current.movedTo = movedTo.trim()
    }
  }
  return sections
}

/** All files that such a patch touches. */
export function pathsInPatch(patch: string): string[] {
  return sectionsOf(patch).flatMap(({ path, movedTo }) => (movedTo === undefined ? [path] : [path, movedTo]))
}

/** The files that a patch in OpenAI's `*** Begin Patch` format adds, changes, moves and deletes. */
export function patchedFiles(patch: string): Effect[] {
  return sectionsOf(patch).flatMap(({ action, path, movedTo, lines }): Effect[] => {
    if (action === 'Delete') return [{ emit: { type: 'file_delete', path } }]
    if (action === 'Add') {
      const content = lines.filter((line) => line.startsWith('+')).map((line) => `${line.slice(1)}\n`)
      return [{ emit: { type: 'file_create', path, byteCount: Buffer.byteLength(content.join('')) } }]
    }
    const diff = lines.length === 0 ? '' : `${lines.join('\n')}\n`
    const patched: Effect = { emit: { type: 'file_patch', path: movedTo ?? path, diff } }
    return movedTo === undefined ? [patched] : [{ emit: { type: 'file_delete', path } }, patched]
  })
}
