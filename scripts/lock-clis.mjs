// `npm run lock-clis [-- agent…]`: pins every package of the CLIs that we download, by integrity hash, in data/locks.
// Run it after a change of a `provenVersion`, a `recipe.ts` or src/toolchain/runtimes.ts, and look at the diff.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { lockFile, pinnedPackages, pinnedPythonPackages, pipLockFile } from '../dist/toolchain/locks.js'
import { scratchManifest } from '../dist/toolchain/npm.js'
import { findPython } from '../dist/toolchain/python.js'
import { withPlatformPackages } from './platform-packages.mjs'

const chosen = process.argv.slice(2)
const kept = new Set()

for (const { npmPackage, version, bundled } of pinnedPackages()) {
  const path = lockFile(npmPackage, version)
  kept.add(path)
  if (chosen.length > 0 && !chosen.some((word) => npmPackage.includes(word))) continue
  const directory = mkdtempSync(join(tmpdir(), 'amux-lock-'))
  try {
    await scratchManifest(directory, npmPackage, version, bundled)
    const flags = [
      '--package-lock-only',
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      '--omit-lockfile-registry-resolved',
    ]
    const { status, stderr } = spawnSync('npm', ['install', ...flags], { cwd: directory, encoding: 'utf8' })
    if (status !== 0) throw new Error(`${npmPackage}@${version}: ${stderr}`)
    const lock = JSON.parse(readFileSync(join(directory, 'package-lock.json'), 'utf8'))
    mkdirSync(join(path, '..'), { recursive: true })
    writeFileSync(path, render(lock))
    console.log(`${npmPackage}@${version}: ${Object.keys(lock.packages).length - 1} packages`)
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}
for (const { recipe, version } of pinnedPythonPackages()) {
  const { pypiPackage, extras = [] } = recipe
  const python = await findPython(recipe.python, process.env)
  const path = pipLockFile(pypiPackage, version, python.version)
  kept.add(path)
  if (chosen.length > 0 && !chosen.some((word) => pypiPackage.includes(word))) continue
  const wanted = `${pypiPackage}${extras.length > 0 ? `[${extras.join(',')}]` : ''}==${version}`
  const flags = ['--dry-run', '--ignore-installed', '--only-binary', ':all:', '--quiet', '--report', '-']
  const { status, stdout, stderr } = spawnSync(python.executable, ['-m', 'pip', 'install', ...flags, wanted], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  if (status !== 0) throw new Error(`${wanted}: ${stderr}`)
  const rows = JSON.parse(stdout).install.map(({ metadata, download_info }) => {
    return `${metadata.name}==${metadata.version} --hash=sha256:${download_info.archive_info.hashes.sha256}`
  })
  writeFileSync(path, `${rows.sort().join('\n')}\n`)
  console.log(`${wanted}: ${rows.length} packages for Python ${python.version}`)
}
const locks = new URL('../data/locks/', import.meta.url)
for (const name of readdirSync(locks)) {
  if (![...kept].some((path) => path.endsWith(`/${name}`))) rmSync(new URL(name, locks))
}

/** A line a package, without what `npm ci` does not read. */
function render({ lockfileVersion, packages }) {
  const rows = Object.entries(withPlatformPackages(packages).packages).map(
    ([path, { license, funding, engines, deprecated, ...rest }]) => {
      return `    ${JSON.stringify(path)}: ${JSON.stringify(rest)}`
    },
  )
  return `{\n  "lockfileVersion": ${lockfileVersion},\n  "requires": true,\n  "packages": {\n${rows.join(',\n')}\n  }\n}\n`
}
