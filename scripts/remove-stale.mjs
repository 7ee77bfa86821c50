// Takes out of `dist` what came of sources that are gone: the compiler leaves it there, and npm would publish it.
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const dist = new URL('../dist/', import.meta.url)
const src = new URL('../src/', import.meta.url)

for (const file of readdirSync(fileURLToPath(dist), { recursive: true, encoding: 'utf8' })) {
  const source = file.replace(/(\.d\.ts|\.js)$/, '.ts')
  if (source !== file && !existsSync(new URL(source, src))) rmSync(new URL(file, dist))
}
