import { execFileSync } from 'node:child_process'

/** The newest published version. `npm view` alone gives the newest one that this Node may run, which is not it. */
export async function newestVersion(npmPackage) {
  const output = execFileSync('npm', ['view', npmPackage, 'dist-tags.latest'], { encoding: 'utf8' })
  return output.trim()
}
