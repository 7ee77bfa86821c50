// `npm run lock`: the lock file anew, complete for every platform.
//
// A registry mirror may lag behind with the platform packages of a tool (its `darwin-arm64` binary, say). npm then leaves
// them out of the lock file, and `npm ci` refuses that file on every platform. This adds the missing entries: they are
// optional, and nobody but their own platform installs them.
import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const OPERATING_SYSTEMS = 'aix android darwin freebsd linux netbsd openbsd openharmony sunos win32'.split(' ')
const PROCESSORS = 'arm arm64 ia32 loong64 mips64el ppc64 riscv64 s390x wasm32 x64'.split(' ')

const path = fileURLToPath(new URL('../package-lock.json', import.meta.url))
rmSync(path, { force: true })
execFileSync('npm', ['install', '--package-lock-only', '--ignore-scripts'], { stdio: 'inherit' })

const lock = JSON.parse(readFileSync(path, 'utf8'))
const [root, ...packages] = Object.entries(lock.packages)
const known = new Set(packages.map(([key]) => key))
const missing = packages.flatMap(([parent, info]) =>
  Object.entries(info.optionalDependencies ?? {})
    .filter(([name]) => !known.has(`node_modules/${name}`) && !known.has(`${parent}/node_modules/${name}`))
    .map(([name, version]) => [`node_modules/${name}`, platformEntry(name, version, info)]),
)
const complete = [...packages, ...missing].sort(([a], [b]) => (a < b ? -1 : 1))
lock.packages = Object.fromEntries([root, ...complete])
writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`)
console.log(`${packages.length} packages, ${missing.length} platform packages added`)

/** What npm would have written, as far as the name tells it. */
function platformEntry(name, range, { dev }) {
  const words = name.split(/[-/]/)
  const os = words.find((word) => OPERATING_SYSTEMS.includes(word))
  const cpu = words.find((word) => PROCESSORS.includes(word))
  if (!os && !cpu) throw new Error(`${name} is optional and missing, but not a platform package`)
  const libc = words.includes('musl') ? 'musl' : os === 'linux' ? 'glibc' : undefined
  return {
    version: range.replace(/^[\^~]/, ''),
    ...(cpu && { cpu: [cpu] }),
    ...(dev && { dev }),
    optional: true,
    ...(os && { os: [os] }),
    ...(libc && { libc: [libc] }),
  }
}
