// Writes the built list of manifests as plain data, in one file. Each module costs most of a millisecond to load, and
// a user of the library would pay for one an agent. `node scripts/freeze-manifests.mjs [dist]`
import { writeFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { isDeepStrictEqual } from 'node:util'

const dist = process.argv[2] ?? fileURLToPath(new URL('../dist', import.meta.url))
const built = `${dist}/adapters/manifests.js`
const { manifests } = await import(pathToFileURL(built).href)

const json = JSON.stringify(manifests)
if (!isDeepStrictEqual(JSON.parse(json), manifests)) throw new Error('A manifest holds more than data')

// As a string, because JSON.parse is faster than reading the same as a literal.
writeFileSync(built, `export const manifests = JSON.parse(${JSON.stringify(json)})\n`)
