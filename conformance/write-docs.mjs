// `npm run docs`: the generated pages anew.
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { builtInAdapters } from '../dist/adapters/index.js'
import { renderAgentPage, renderCapabilities, renderReadme } from './docs.mjs'

const root = new URL('..', import.meta.url)
const matrix = JSON.parse(await readFile(new URL('conformance/matrix.json', root), 'utf8'))
const manifests = builtInAdapters.map(({ manifest }) => manifest)
await mkdir(new URL('docs/agents/', root), { recursive: true })
await writeFile(new URL('docs/capabilities.md', root), renderCapabilities(manifests, matrix))
for (const manifest of manifests) {
  await writeFile(new URL(`docs/agents/${manifest.agent}.md`, root), renderAgentPage(manifest, matrix))
}
const readme = await readFile(new URL('README.md', root), 'utf8')
await writeFile(new URL('README.md', root), renderReadme(readme, manifests, matrix))
