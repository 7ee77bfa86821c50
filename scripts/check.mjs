// All that can be said of the sources without running them, side by side: `npm run check`.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'

const { scripts } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
// "typecheck" says what is wrong in all of the sources; once is enough.
scripts.build = scripts.build.replace('tsconfig.build.json', '$& --noCheck')

/** Runs some scripts one after the other, and tells their output when it is whole. */
async function inTurn(...names) {
  for (const name of names) {
    const { code, output } = await run(scripts[name])
    console.log(`> ${name}${code === 0 ? '' : `: FAILED (${code})`}\n${output.trim()}\n`)
    if (code !== 0) return false
  }
  return true
}

function run(command) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, {
      cwd: new URL('..', import.meta.url),
      shell: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        output += text
      })
    }
    child.once('error', reject)
    child.once('close', (code, signal) => resolve({ code: code ?? signal, output }))
  })
}

const done = await Promise.all([inTurn('typecheck', 'lint'), inTurn('build', 'package-check', 'deadcode')])
process.exitCode = done.every(Boolean) ? 0 : 1
