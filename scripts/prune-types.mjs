// Keeps of the declarations in `dist` those that an entry point of the package leads to: nobody can ask for the others,
// and those are most of them.
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const written = readdirSync(join(root, 'dist'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.d.ts'))
  .map((file) => join(root, 'dist', file))

/** `*` in an entry point stands for any name. */
const patterns = Object.values(exports).flatMap(({ types }) => types ?? [])
const entries = patterns.flatMap((pattern) => {
  const [before, after] = join(root, pattern).split('*')
  return written.filter((file) => file.startsWith(before) && file.endsWith(after ?? before))
})

const IMPORTED = /(?:from |import\()['"](\.[^'"]+)\.[jt]s['"]/g
const needed = new Set()
const need = (file) => {
  if (needed.has(file)) return
  needed.add(file)
  for (const [, path] of readFileSync(file, 'utf8').matchAll(IMPORTED)) need(join(dirname(file), `${path}.d.ts`))
}
for (const entry of entries) need(entry)

for (const file of written) if (!needed.has(file)) rmSync(file)
