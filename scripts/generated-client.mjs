// `npm run generated-client`: makes a Python client from the OpenAPI document of a running daemon, compiles it and calls
// the daemon with it. The generator comes from PyPI, into a directory that is removed at the end. Needs the build.
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { API_PREFIX } from '../dist/contract/api/routes.js'
import { daemonAddress } from '../dist/daemon/address.js'

const GENERATOR = 'openapi-python-client==0.29.1'
const CALLS = fileURLToPath(new URL('generated-client.py', import.meta.url))
const AMUX = fileURLToPath(new URL('../bin/amux.js', import.meta.url))

const scratch = mkdtempSync(join(tmpdir(), 'agent-mux-client-'))
const venv = join(scratch, 'venv')
const python = join(venv, 'bin/python')
let daemon
try {
  const missing = prepare()
  if (missing !== null) console.log(`not run: ${missing}`)
  else await generateAndCall()
} finally {
  daemon?.kill('SIGTERM')
  rmSync(scratch, { recursive: true, force: true, maxRetries: 5 })
}

/** Why it cannot be run here; null when it can. */
function prepare() {
  if (attempt('python3', ['-m', 'venv', venv]).status !== 0) return 'there is no python3 with venv'
  const installed = attempt(python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', GENERATOR])
  if (installed.status === 0) return null
  return `${GENERATOR} cannot be had from PyPI: ${installed.stderr.trim().split('\n').at(-1) ?? 'no answer'}`
}

async function generateAndCall() {
  const dataDir = join(scratch, 'data')
  const home = join(scratch, 'home')
  mkdirSync(home)
  const env = { PATH: process.env.PATH, HOME: home, AGENT_MUX_DATA_DIR: dataDir }
  daemon = spawn(process.execPath, [AMUX, 'serve', '--port', '0'], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  await new Promise((resolve, reject) => {
    daemon.stdout.once('data', resolve)
    daemon.once('exit', (code) => reject(new Error(`the daemon ended with ${code}`)))
  })
  const { url, token } = await daemonAddress(dataDir)
  const answer = await fetch(`${url}${API_PREFIX}/openapi.json`, { headers: { authorization: `Bearer ${token}` } })
  if (!answer.ok) throw new Error(`the daemon answers ${answer.status} instead of its document`)
  const document = join(scratch, 'openapi.json')
  writeFileSync(document, await answer.text())
  const client = join(scratch, 'client')
  const generator = join(venv, 'bin/openapi-python-client')
  // With --fail-on-warning an operation that the generator cannot express is a failure, not left out.
  const PATH = `${join(venv, 'bin')}${delimiter}${process.env.PATH}` // it formats with a program of its own
  must(generator, ['generate', '--path', document, '--output-path', client, '--meta', 'none', '--fail-on-warning'], {
    PATH,
  })
  must(python, ['-m', 'compileall', '-q', client])
  must(python, [CALLS, url + API_PREFIX], { AGENT_MUX_TOKEN: token, PYTHONPATH: scratch })
}

function attempt(command, args, env = {}) {
  return spawnSync(command, args, { encoding: 'utf8', timeout: 300_000, env: { ...process.env, ...env }, cwd: scratch })
}

function must(command, args, env) {
  const { status, stdout, stderr } = attempt(command, args, env)
  process.stdout.write(stdout ?? '')
  if (status !== 0) throw new Error(`${command} ${args[0]} failed:\n${stderr}`)
}
