// A registry mirror may lag behind with the platform packages of a tool (its `darwin-arm64` binary, say). npm then leaves
// them out of the lock file, and `npm ci` refuses that file on every platform. This adds the missing entries: they are
// optional, and only their own platform installs them. They have no hash, because nobody could be asked for it.
const OPERATING_SYSTEMS = 'aix android darwin freebsd linux netbsd openbsd openharmony sunos win32 windows'.split(' ')
const PROCESSORS = 'arm arm64 ia32 loong64 mips64el ppc64 riscv64 s390x wasm32 x64'.split(' ')

/** The packages of a lock file with the platform packages that are missing, and how many those were. */
export function withPlatformPackages(locked) {
  const [root, ...packages] = Object.entries(locked)
  const known = new Set(packages.map(([key]) => key))
  const missing = packages.flatMap(([parent, info]) =>
    Object.entries(info.optionalDependencies ?? {})
      .filter(([name]) => !known.has(`node_modules/${name}`) && !known.has(`${parent}/node_modules/${name}`))
      .map(([name, version]) => [`node_modules/${name}`, platformEntry(name, version, info)]),
  )
  const complete = [...packages, ...missing].sort(([a], [b]) => (a < b ? -1 : 1))
  return { packages: Object.fromEntries([root, ...complete]), added: missing.length }
}

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
