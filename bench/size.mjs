import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/** What a user gets on disk with `npm install agent-mux`, without optional native parts. */
export async function measure() {
  const directory = mkdtempSync(join(tmpdir(), 'amux-size-'))
  const npm = (...args) =>
    execFileSync('npm', args, { cwd: directory, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  try {
    const [{ filename, size }] = JSON.parse(npm('pack', root, '--json', '--ignore-scripts'))
    writeFileSync(join(directory, 'package.json'), '{"private":true}')
    npm('install', '--no-audit', '--no-fund', '--omit=optional', '--ignore-scripts', `./${filename}`)
    const kilobytes = Number(
      execFileSync('du', ['-sk', join(directory, 'node_modules')], { encoding: 'utf8' }).split('\t')[0],
    )
    return [
      {
        what: 'installed size',
        value: kilobytes / 1024,
        limit: 24,
        unit: ' MB',
        detail: `tarball ${(size / 1024).toFixed(0)} kB`,
      },
    ]
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}
