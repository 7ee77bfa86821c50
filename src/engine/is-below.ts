import { isAbsolute, relative, sep } from 'node:path'

/** Whether a place is a directory or below it. Both are to be real paths, without links. */
export function isBelow(root: string, place: string): boolean {
  const path = relative(root, place)
  return path !== '..' && !path.startsWith(`..${sep}`) && !isAbsolute(path)
}
