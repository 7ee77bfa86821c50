// Runs the test command in fresh clones that lie in strange places: `node scripts/strange-places.mjs [place…] [-- command…]`.
// The clone is of this working tree as it stands. CI runs it; `--list` says which places there are.
import { spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  closeSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  realpathSync,
  rmSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { constants, tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { endAll, lastingIn } from './place-processes.mjs'
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

const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => stop.abort(signal))

const failed = []
for (const name of names.length > 0 ? names : Object.keys(places)) {
  if (stop.signal.aborted) break
  if (!(await holdsIn(name, command.length > 0 ? command : ['npm', 'cit']))) failed.push(name)
}
if (stop.signal.aborted) {
  console.error(`Stopped by ${stop.signal.reason}.`)
  process.exitCode = 128 + constants.signals[stop.signal.reason]
} else if (failed.length > 0) {
  console.error(`\nThe tests fail here: ${failed.join(', ')}`)
  process.exitCode = 1
}

async function holdsIn(name, [program, ...args]) {
  const { about, lay } = places[name]
  console.log(`\n== ${[program, ...args].join(' ')}, in the place "${name}":\n   ${about.join('\n   ')}`)
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'amux-place-')))
  const startedAt = Date.now()
  const place = lay(base)
  const user = isRoot ? place.user : undefined
  const port = place.takesPort && (await take(place.takesPort))
  try {
    cloneInto(place.checkout)
    if (user) giveAway(base, user)
    place.afterwards?.()
    const code = await run(program, args, place, user)
    if (stop.signal.aborted) return false
    const left = await lastingIn(base)
    for (const { pid, words } of left) console.log(`   left behind: ${pid} ${words}`)
    const minutes = ((Date.now() - startedAt) / 60_000).toFixed(1)
    const holds = code === 0 && left.length === 0
    console.log(`== ${holds ? 'passed' : `FAILED (${code})`} in the place "${name}", in ${minutes} min`)
    return holds
  } finally {
    port?.close()
    await endAll(base)
    chmodSync(dirname(place.checkout), 0o700)
    rmSync(base, { recursive: true, force: true, maxRetries: 3 })
  }
}

/** What a clone would have after a commit of all that stands here. */
function cloneInto(checkout) {
  const made = new Set()
  for (const file of filesHere()) {
    const to = join(checkout, file)
    if (!made.has(dirname(to))) mkdirSync(dirname(to), { recursive: true })
    made.add(dirname(to))
    copyFileSync(join(ROOT, file), to)
  }
}

/** Tracked files as they are, and new ones. A clone in such a place is without git's data: there it is all but what was made. */
function filesHere() {
  const git = (...args) => spawnSync('git', ['-c', `safe.directory=${ROOT}`, '-C', ROOT, ...args], { encoding: 'utf8' })
  const listed = git('ls-files', '-z', '--cached', '--others', '--exclude-standard')
  if (listed.status !== 0) {
    const all = readdirSync(ROOT, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    const paths = all.map(({ parentPath, name }) => relative(ROOT, join(parentPath, name)))
    return paths.filter((path) => !/^(node_modules|dist)\//.test(path))
  }
  // Deleted files stay listed until the deletion is staged.
  const gone = new Set(git('ls-files', '-z', '--deleted').stdout.split('\0'))
  return new Set(listed.stdout.split('\0').filter((file) => file !== '' && !gone.has(file)))
}

function giveAway(base, { uid, gid }) {
  spawnSync('chown', ['-R', `${uid}:${gid}`, base])
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
  // A group of its own: whoever stops us with ^C leaves the end of it to us, and a signal reaches all of it.
  const child = spawn(words[0], words.slice(1), { ...options, detached: true })
  process.umask(before)
  closeSync(nothing)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => resolve(code ?? signal))
    const end = () => child.pid !== undefined && process.kill(-child.pid, 'SIGTERM')
    if (stop.signal.aborted) end()
    else stop.signal.addEventListener('abort', end)
  })
}

/** What `npm run` has added would hide what the place has set. */
function withoutNpm(env) {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/^npm_|^(INIT_CWD|NODE)$/i.test(name)))
}

/** Another HOME has neither npm's settings nor its cache. */
function npmSettings() {
  const { stdout } = spawnSync('npm', ['config', 'get', 'registry', 'cache'], { cwd: ROOT, encoding: 'utf8' })
  const told = Object.fromEntries(stdout.split('\n').map((line) => line.split(/=(.*)/)))
  return { npm_config_registry: told.registry, npm_config_cache: told.cache }
}
