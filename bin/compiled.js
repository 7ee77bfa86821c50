const { createHash } = require('node:crypto')
const { mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } = require('node:fs')
const Module = require('node:module')
const { homedir } = require('node:os')
const { basename, dirname, join } = require('node:path')
const { Script } = require('node:vm')

// Half of what `amux run` costs is compiling: V8 reads a megabyte of source to run a tenth of it. So what it has compiled is
// kept in the cache directory and read back the next time. Node has this since 22.8 (`module.enableCompileCache`), but not
// for functions that are compiled later, and not in 20. NODE_DISABLE_COMPILE_CACHE=1 turns both off.
const KEPT_DIRECTORIES = 4
const DIGEST_BYTES = 20

/**
 * From here on, modules in this directory are compiled with what the cache holds of them; what it lacks is added when the
 * process exits. `use` separates programs that need different functions of the same files.
 */
function cacheCompiled(programs, { use, version }) {
  const root = cacheRoot()
  if (root === null) return
  const place = join(root, `${version}-${process.versions.v8}-${process.arch}${flags()}`)
  const missing = []
  const compile = Module.prototype._compile
  Module.prototype._compile = function (source, filename, ...rest) {
    if (dirname(filename) !== programs) return compile.call(this, source, filename, ...rest)
    const { size, mtimeMs } = statSync(filename)
    const file = join(place, `${use}-${basename(filename)}-${size}-${mtimeMs}`)
    const cachedData = readOwn(file)
    const script = new Script(Module.wrap(source), { filename, cachedData })
    if (cachedData === undefined || script.cachedDataRejected) missing.push({ file, script })
    const require = Module.createRequire(filename)
    script.runInThisContext().call(this.exports, this.exports, require, this, filename, programs)
  }
  process.once('exit', () => {
    if (missing.length > 0) write(place, missing)
  })
}

function cacheRoot() {
  const { AGENT_MUX_CACHE_DIR, XDG_CACHE_HOME, HOME, NODE_DISABLE_COMPILE_CACHE } = process.env
  if (NODE_DISABLE_COMPILE_CACHE) return null
  const base = AGENT_MUX_CACHE_DIR || XDG_CACHE_HOME || join(HOME || homedir(), '.cache')
  return join(base, 'agent-mux', 'programs')
}

/** V8 accepts only what was compiled with the same flags. */
function flags() {
  const given = [...process.execArgv, process.env.NODE_OPTIONS ?? ''].join(' ').trim()
  return given === '' ? '' : `-${Buffer.from(given).toString('base64url').slice(0, 100)}`
}

/**
 * It is code that will run: only what belongs to this user, and nobody else can write. V8 does not check it: a few wrong
 * bytes, such as a disk leaves after a loss of power, would crash the process.
 */
function readOwn(file) {
  try {
    if (!isOwn(dirname(file)) || !isOwn(file)) return undefined
    const content = readFileSync(file)
    const compiled = content.subarray(DIGEST_BYTES)
    return digest(compiled).equals(content.subarray(0, DIGEST_BYTES)) ? compiled : undefined
  } catch {
    return undefined
  }
}

function digest(compiled) {
  return createHash('sha1').update(compiled).digest()
}

function isOwn(path) {
  const { uid, mode } = statSync(path)
  return process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0)
}

/** A cache that cannot be written is no reason to complain. */
function write(place, missing) {
  try {
    mkdirSync(place, { recursive: true, mode: 0o700 })
    if (!isOwn(place)) return
    for (const { file, script } of missing) {
      const draft = `${file}.${process.pid}`
      const compiled = script.createCachedData()
      writeFileSync(draft, Buffer.concat([digest(compiled), compiled]), { mode: 0o600 })
      renameSync(draft, file)
    }
    removeOld(dirname(place))
  } catch {}
}

function removeOld(root) {
  const places = readdirSync(root).map((name) => ({ path: join(root, name), at: statSync(join(root, name)).mtimeMs }))
  for (const { path } of places.sort((a, b) => b.at - a.at).slice(KEPT_DIRECTORIES)) {
    rmSync(path, { recursive: true, force: true })
  }
}

module.exports = { cacheCompiled }
