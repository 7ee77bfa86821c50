// Runs the test command in fresh clones that lie in strange places: `node scripts/strange-places.mjs [place…] [-- command…]`.
// The clone is of this working tree as it stands. CI runs it; `--list` says which places there are.
import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, closeSync, cpSync, mkdirSync, mkdtempSync, openSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { places } from './places.mjs'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const isRoot = process.getuid?.() === 0

const words = process.argv.slice(2)
const split = words.includes('--') ? words.indexOf('--') : words.length
const names = words.slice(0, split)
const command = words.slice(split + 1)

if (names.includes('--list')) {
  for (const [name, { about }] of Object.entries(places)) console.log(`${name}\n  ${about.join('\n  ')}`)
  process.exit(0)
}
const unknown = names.find((name) => !places[name])
if (unknown !== undefined) {
  console.error(`There is no place "${unknown}". There are: ${Object.keys(places).join(', ')}`)
  process.exit(2)
}
if (process.platform === 'win32') {
  console.error('These places are made with modes, users and links that Windows does not have.')
  process.exit(2)
}

const failed = []
for (const name of names.length > 0 ? names : Object.keys(places)) {
  if (!(await holdsIn(name, command.length > 0 ? command : ['npm', 'cit']))) failed.push(name)
}
if (failed.length > 0) console.error(`\nThe tests fail here: ${failed.join(', ')}`)
process.exitCode = failed.length > 0 ? 1 : 0

async function holdsIn(name, [program, ...args]) {
  const { about, lay } = places[name]
  console.log(`\n== ${[program, ...args].join(' ')}, in the place "${name}":\n   ${about.join('\n   ')}`)
  const base = mkdtempSync(join(tmpdir(), 'amux-place-'))
  const startedAt = Date.now()
  const place = lay(base)
  const user = isRoot ? place.user : undefined
  const port = place.takesPort && (await take(place.takesPort))
  try {
    cloneInto(place.checkout)
    if (user) giveAway(base, place, user)
    place.afterwards?.()
    const code = await run(program, args, place, user)
    const minutes = ((Date.now() - startedAt) / 60_000).toFixed(1)
    console.log(`== ${code === 0 ? 'passed' : `FAILED (${code})`} in the place "${name}", in ${minutes} min`)
    return code === 0
  } finally {
    port?.close()
    chmodSync(dirname(place.checkout), 0o700)
    rmSync(base, { recursive: true, force: true, maxRetries: 3 })
  }
}

/** The tracked files as they stand here, and new ones: what a clone would have after a commit of all that. */
function cloneInto(checkout) {
  const git = (...args) => spawnSync('git', ['-c', `safe.directory=${ROOT}`, '-C', ROOT, ...args], { encoding: 'utf8' })
  const listed = git('ls-files', '-z', '--cached', '--others', '--exclude-standard')
  if (listed.status !== 0) throw new Error(`This is not a git checkout: ${listed.stderr}`)
  const gone = new Set(git('ls-files', '-z', '--deleted').stdout.split('\0'))
  // Deleted files stay listed until the deletion is staged.
  for (const file of new Set(listed.stdout.split('\0'))) {
    if (file === '' || gone.has(file)) continue
    mkdirSync(dirname(join(checkout, file)), { recursive: true })
    cpSync(join(ROOT, file), join(checkout, file), { verbatimSymlinks: true })
  }
}

function giveAway(base, { checkout }, { uid, gid }) {
  chmodSync(base, 0o755)
  spawnSync('chown', ['-R', `${uid}:${gid}`, checkout])
  chownSync(dirname(checkout), uid, gid)
}

/** Held while the tests run; somebody else may hold it already, which is just as well. */
function take(port) {
  const server = createServer()
  return new Promise((resolve) => {
    server.once('error', () => resolve(undefined))
    server.listen(port, '127.0.0.1', () => resolve(server))
  })
}

function run(program, args, place, user) {
  const env = { ...withoutNpm(process.env), ...npmSettings(), ...place.env }
  for (const name of place.unset ?? []) delete env[name]
  const before = process.umask(place.umask)
  // The shell closes stdin, which Node cannot; an umask, a user and a directory are given to the child as they are.
  const words = place.closesStdin ? ['/bin/sh', '-c', 'exec "$@" <&-', 'sh', program, ...args] : [program, ...args]
  const nothing = openSync('/dev/null', 'r')
  const options = { cwd: place.enter ?? place.checkout, env, stdio: [nothing, 'inherit', 'inherit'], ...user }
  const child = spawn(words[0], words.slice(1), options)
  process.umask(before)
  closeSync(nothing)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => resolve(code ?? signal))
  })
}

/** What `npm run` has added would hide what the place has set. */
function withoutNpm(env) {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/^npm_|^(INIT_CWD|NODE)$/i.test(name)))
}

/** Another HOME has neither npm's settings nor its cache. */
function npmSettings() {
  const ask = (name) => spawnSync('npm', ['config', 'get', name], { cwd: ROOT, encoding: 'utf8' }).stdout.trim()
  return { npm_config_registry: ask('registry'), npm_config_cache: ask('cache') }
}
