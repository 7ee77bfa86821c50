// Writes the built list of manifests as plain data, in one file. Each module costs most of a millisecond to load, and
// a user of the library would pay for one an agent.
import { writeFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'

const built = new URL('../dist/adapters/manifests.js', import.meta.url)
const { manifests } = await import(built.href)

const json = JSON.stringify(manifests)
if (!isDeepStrictEqual(JSON.parse(json), manifests)) throw new Error('A manifest holds more than data')

// As a string, because JSON.parse is faster than reading the same as a literal.
writeFileSync(built, `export const manifests = JSON.parse(${JSON.stringify(json)})\n`)
