import { execFileSync } from 'node:child_process'
import { packageName } from '../dist/toolchain/recipes.js'

/** The newest published version. `npm view` alone gives the newest one that this Node may run, which is not it. */
export async function newestVersion(recipe) {
  const name = packageName(recipe)
  if ('pypiPackage' in recipe) return newestOnPypi(name)
  return execFileSync('npm', ['view', name, 'dist-tags.latest'], { encoding: 'utf8' }).trim()
}

/** `name (version)`, then all others. */
function newestOnPypi(name) {
  const args = ['-m', 'pip', 'index', 'versions', name, '--disable-pip-version-check']
  const output = execFileSync('python3', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
  return output.slice(output.indexOf('(') + 1, output.indexOf(')'))
}
