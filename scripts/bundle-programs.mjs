// Writes the programs (the command line with the daemon, and the runner) into a few files each, `dist/programs`, because
// each module costs most of a millisecond to load: `amux run` needs 280 of them, the daemon 400. What is imported when it
// is first used stays a file of its own. They are CommonJS, of which Node 20 can keep the compiled code (bin/compiled.js).
// The library is not bundled. `node scripts/bundle-programs.mjs [dist]`
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { parseAst } from 'rolldown/parseAst'

const dist = process.argv[2] ?? fileURLToPath(new URL('../dist', import.meta.url))
const programs = join(dist, 'programs')

/** What `amux run` and a runner load, whatever the agent. It is in two files; the rest goes where it is needed. */
const RUN = ['cli/main', 'cli/commands/run', 'mux/client', 'mux/run-index', 'mux/installed-version', 'engine/run']
const ALWAYS = reached(['runner/headless', 'adapters/claude/index', ...RUN].map((name) => join(dist, `${name}.js`)))
const GROUPS = [
  ['engine', /^(contract|secrets|core|process|files|engine|mux|adapters\/(kit\/|[^/]+$))/],
  ['commands', /^cli\//],
]

/** These modules and those that they import at once. */
function reached(modules, found = new Set()) {
  for (const module of modules) {
    if (found.has(module)) continue
    found.add(module)
    const imported = readFileSync(module, 'utf8').matchAll(/^(?:import|export) .*?from '(\.[^']+)';$/gm)
    reached(
      Array.from(imported, ([, path]) => join(dirname(module), path)),
      found,
    )
  }
  return found
}

/** V8 reads plain ASCII twice as fast; one other character makes the whole file two bytes a character. */
const inAscii = (code) =>
  code.replace(/[^\0-\x7f]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** Packages and files that are not part of the bundle are imported by bin/import.js, which says why. */
function importOutside(code) {
  if (!code.includes('import(')) return null
  const found = []
  const visit = (node) => {
    if (node === null || typeof node !== 'object') return
    if (node.type === 'ImportExpression' && !String(node.source.value ?? '').startsWith('.')) found.push(node.start)
    for (const child of Object.values(node)) visit(child)
  }
  visit(parseAst(code))
  const replaced = (text, at) => `${text.slice(0, at)}importOutside${text.slice(at + 'import'.length)}`
  return found.length === 0 ? null : { code: found.sort((a, b) => b - a).reduce(replaced, code), map: null }
}

/** Of a part that is imported when it is first used: its path. */
const nameOf = (id) => relative(dist, id).replace(/\.js$/, '').replaceAll(sep, '-')

rmSync(programs, { recursive: true, force: true })
const bundle = await rolldown({
  input: { cli: join(dist, 'cli/main.js'), runner: join(dist, 'runner/main.js') },
  platform: 'node',
  plugins: [{ name: 'import-outside', transform: importOutside }],
  // Zod alone is 95 modules, most of them languages; it is used in the daemon only.
  external: /^(?!zod$)[@a-z]/,
  onLog(level, log, handle) {
    // What one part needs at once and another only later is in a file that both load.
    if (log.code !== 'INEFFECTIVE_DYNAMIC_IMPORT') handle(level, log)
  },
})
const { output } = await bundle.write({
  dir: programs,
  format: 'cjs',
  strict: true,
  intro: "const importOutside = (name) => require('../../bin/import.js')(name)",
  // Names stay, for the traces that people send.
  minify: { compress: true, mangle: false, codegen: { removeWhitespace: true } },
  plugins: [{ name: 'ascii', renderChunk: inAscii }],
  entryFileNames: '[name].js',
  // A daemon may have to load a part after an update has replaced its files. It finds that part under the same name, and
  // whatever else the part needs is of the same version, because those names hold the hash of their content.
  chunkFileNames: ({ facadeModuleId }) => (facadeModuleId ? `${nameOf(facadeModuleId)}.js` : '[name]-[hash].js'),
  minifyInternalExports: false,
  codeSplitting: {
    groups: GROUPS.map(([name, folders]) => ({
      name,
      test: (id) => ALWAYS.has(id) && folders.test(relative(dist, id).replaceAll(sep, '/')),
    })),
  },
})
await bundle.close()
// Which modules each file is made of; not published.
const modules = output.map(({ fileName, moduleIds = [] }) => [
  fileName,
  moduleIds.map((id) => `/dist/${relative(dist, id).replaceAll(sep, '/')}`),
])
writeFileSync(join(programs, 'modules.json'), JSON.stringify(Object.fromEntries(modules)))
writeFileSync(join(programs, 'package.json'), '{ "type": "commonjs" }\n')
copyFileSync(fileURLToPath(new URL('LICENSE', import.meta.resolve('zod/package.json'))), join(programs, 'LICENSE.zod'))
