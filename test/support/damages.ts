import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'

/** The files of a launch that the daemon reads. */
export const FILES = ['launch.json', 'runner.json', 'result.json', 'native.ndjson', 'events.ndjson']

/** What can have become of a file. */
export const DAMAGES: Record<string, (path: string) => void> = {
  missing: (path) => rmSync(path, { force: true }),
  empty: (path) => writeFileSync(path, ''),
  garbage: (path) => writeFileSync(path, '\0\xff{"no'),
  'wrong types': (path) => writeFileSync(path, '{"format":1,"launchId":7,"n":"x","runner":[],"records":null}\n'),
  cut: (path) => {
    if (existsSync(path)) truncateSync(path, Math.floor(readFileSync(path).length / 2))
  },
  huge: (path) => {
    writeFileSync(path, '{')
    truncateSync(path, 5 * 1024 ** 3)
  },
  'a directory': (path) => {
    rmSync(path, { force: true })
    mkdirSync(path)
  },
  'a pipe': (path) => {
    rmSync(path, { force: true })
    execFileSync('mkfifo', [path])
  },
  unreadable: (path) => {
    if (existsSync(path)) chmodSync(path, 0)
  },
}
