// `npm run docs`: the generated pages again.
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { builtInAdapters } from '../dist/adapters/index.js'
import { AGENT_EVENT_TYPES } from '../dist/contract/event-guards.js'
import { renderAgentPage, renderCapabilities, renderReadme } from './docs.mjs'
import { seenEvents } from './seen-events.mjs'

const root = new URL('..', import.meta.url)
const matrix = JSON.parse(await readFile(new URL('conformance/matrix.json', root), 'utf8'))
const manifests = builtInAdapters.map(({ manifest }) => manifest)
const events = { types: AGENT_EVENT_TYPES, seen: seenEvents(fileURLToPath(new URL('src/adapters', root))) }
await mkdir(new URL('docs/agents/', root), { recursive: true })
await writeFile(new URL('docs/capabilities.md', root), renderCapabilities(manifests, matrix, events))
for (const manifest of manifests) {
  await writeFile(new URL(`docs/agents/${manifest.agent}.md`, root), renderAgentPage(manifest, matrix))
}
const readme = await readFile(new URL('README.md', root), 'utf8')
await writeFile(new URL('README.md', root), renderReadme(readme, manifests, matrix))
