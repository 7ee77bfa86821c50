// `npm run lock`: writes the lock file again, complete for every platform.
import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { withPlatformPackages } from './platform-packages.mjs'

const path = fileURLToPath(new URL('../package-lock.json', import.meta.url))
rmSync(path, { force: true })
execFileSync('npm', ['install', '--package-lock-only', '--ignore-scripts'], { stdio: 'inherit' })

const lock = JSON.parse(readFileSync(path, 'utf8'))
const { packages, added } = withPlatformPackages(lock.packages)
writeFileSync(path, `${JSON.stringify({ ...lock, packages }, null, 2)}\n`)
console.log(`${Object.keys(packages).length - 1} packages, ${added} of them platform packages that were added`)
