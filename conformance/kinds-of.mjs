import { execFile, spawn } from 'node:child_process'
import { mkdtemp, readdir, readFile, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { cacheDirectory } from '../dist/toolchain/private-install.js'

// What each CLI says of itself: a schema that it ships or prints, or the names in its own writer.

const run = promisify(execFile)
const sorted = (names) => [...new Set(names)].sort()
const matches = (text, pattern) => [...text.matchAll(pattern)].map(([, name]) => name)

/** The files below a directory whose path fits. */
async function filesIn(directory, pattern) {
  const names = await readdir(directory, { recursive: true })
  return names.filter((name) => pattern.test(name)).map((name) => join(directory, name))
}

async function textIn(directory, pattern) {
  const files = await filesIn(directory, pattern)
  return (await Promise.all(files.map((file) => readFile(file, 'latin1')))).join('\n')
}

/** Runs with a home of its own and nothing of the environment. */
async function inScratchHome(use) {
  const home = await mkdtemp(join(tmpdir(), 'amux-kinds-'))
  try {
    return await use(home, { HOME: home, PATH: process.env.PATH, TERM: 'dumb' })
  } finally {
    await rm(home, { recursive: true, force: true, maxRetries: 3 })
  }
}

/** The packages that a directory of programs belongs to, which is beside them, among them or inside of one. */
function packagesOf(binDir) {
  const place = binDir.lastIndexOf('node_modules')
  return place < 0 ? join(dirname(binDir), 'node_modules') : binDir.slice(0, place + 'node_modules'.length)
}

async function claude(binDir) {
  const program = await readFile(await realpath(join(binDir, 'claude')), 'latin1')
  return sorted(
    matches(program, /type:\w{1,3}\("system"\),subtype:\w{1,3}\("(\w+)"\)/g).map((name) => `system/${name}`),
  )
}

function codex(binDir) {
  return inScratchHome(async (home, env) => {
    await run(join(binDir, 'codex'), ['app-server', 'generate-ts', '--experimental', '--out', home], { env })
    const [notices, requests, items] = await Promise.all(
      ['ServerNotification.ts', 'ServerRequest.ts', 'v2/ThreadItem.ts'].map((name) =>
        readFile(join(home, name), 'utf8'),
      ),
    )
    return sorted([
      ...matches(notices, /"method": "([^"]+)"/g),
      ...matches(requests, /"method": "([^"]+)"/g).map((name) => `request:${name}`),
      ...matches(items, /"type": "([^"]+)"/g).map((name) => `item:${name}`),
    ])
  })
}

/** It unpacks itself on its first start, 200 MB, which all runs share; the schema is among what it unpacks. */
function copilot(binDir, version) {
  const cache = join(cacheDirectory(process.env), 'copilot')
  return inScratchHome(async (_, env) => {
    await run(join(binDir, 'copilot'), ['--version'], { env: { ...env, COPILOT_CACHE_HOME: cache } })
    const [file] = await filesIn(cache, new RegExp(`/${version}/schemas/session-events\\.schema\\.json$`))
    const { definitions } = JSON.parse(await readFile(file, 'utf8'))
    const names = Object.values(definitions).map(({ properties }) => properties?.type?.const)
    return sorted(names.filter((name) => typeof name === 'string' && (name.includes('.') || name === 'abort')))
  })
}

async function gemini(binDir) {
  const bundle = await textIn(packagesOf(binDir), /@google\/gemini-cli\/bundle\/chunk-\w+\.js$/)
  return sorted(matches(bundle, /JsonStreamEventType\d*\["\w+"\] = "(\w+)"/g))
}

async function qwen(binDir) {
  const bundle = await textIn(packagesOf(binDir), /@qwen-code\/qwen-code\/chunks\/.*\.js$/)
  return sorted(matches(bundle, /emit(?:SystemMessage|VisionNotice)\(\s*"(\w+)"/g).map((name) => `system/${name}`))
}

async function qoder(binDir) {
  const bundle = await textIn(packagesOf(binDir), /^@qoder-ai\/qodercli\/bundle\/qodercli\.js$/)
  return sorted(
    matches(bundle, /type:\w+\.literal\("system"\),subtype:\w+\.literal\("(\w+)"\)/g).map((name) => `system/${name}`),
  )
}

async function opencode(binDir) {
  return partsPrinted(await readFile(await nativeProgram(binDir), 'latin1'))
}

async function kilo(binDir) {
  return partsPrinted(await readFile(join(binDir, 'kilo'), 'latin1'))
}

/** What `run --format json` of OpenCode and its kin prints. */
function partsPrinted(program) {
  const [writer] = /(\w+)\("step_start",\{part:/.exec(program) ?? []
  if (writer === undefined) return []
  const place = program.indexOf(writer)
  const name = writer.slice(0, writer.indexOf('('))
  return sorted(matches(program.slice(place - 6000, place + 6000), new RegExp(`\\b${name}\\("([a-z_]+)",\\{`, 'g')))
}

async function nativeProgram(binDir) {
  const [file] = await filesIn(packagesOf(binDir), /^opencode-[\w-]+\/bin\/opencode$/)
  return file
}

/** The schema that its server has of itself. */
function opencodeHttp(binDir) {
  return inScratchHome(async (home, env) => {
    const program = await nativeProgram(binDir)
    const options = {
      cwd: home,
      env: { ...env, OPENCODE_DISABLE_MODELS_FETCH: '1' },
      stdio: ['ignore', 'pipe', 'ignore'],
    }
    const server = spawn(program, ['serve', '--port', '0', '--hostname', '127.0.0.1'], options)
    try {
      const url = await listening(server)
      const { components } = await (await fetch(`${url}/doc`, { signal: AbortSignal.timeout(20_000) })).json()
      return sorted(Object.entries(components.schemas).flatMap(kindIn))
    } finally {
      server.kill('SIGKILL')
    }
  })
}

function listening(server) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('opencode serve does not listen')), 30_000)
    server.stdout.on('data', (chunk) => {
      const url = /http:\/\/[\d.:]+/.exec(String(chunk))?.[0]
      if (url === undefined) return
      clearTimeout(timer)
      resolve(url)
    })
  })
}

function kindIn([schema, { properties }]) {
  const name = properties?.type?.const ?? properties?.type?.enum?.[0]
  if (name === undefined) return []
  if (/^\w+Part$/.test(schema)) return [`part/${name}`]
  return name.includes('.') && properties.properties !== undefined ? [name] : []
}

async function pi(binDir) {
  const types = await textIn(packagesOf(binDir), /pi-coding-agent\/dist\/core\/agent-session\.d\.ts$/)
  return sorted(matches(types, /^ {4}type: "(\w+)"/gm))
}

async function omp(binDir) {
  const packages = join(packagesOf(binDir), '@oh-my-pi')
  const types = await textIn(packages, /^pi-coding-agent\/src\/session\/agent-session-events\.ts$/)
  const core = await textIn(packages, /^pi-agent-core\/src\/types\.ts$/)
  const loop = core.slice(core.indexOf('export type AgentEvent ='))
  const pieces = await textIn(packages, /^pi-ai\/src\/types\.ts$/)
  const updates = pieces.slice(pieces.indexOf('export type AssistantMessageEvent ='))
  const frames = await textIn(packages, /^pi-coding-agent\/src\/modes\/rpc\/rpc-(?:mode|subagents)\.ts$/)
  return sorted([
    ...matches(types, /type: "(\w+)"/g),
    ...matches(loop.slice(0, loop.indexOf(';\n\n')), /type: "(\w+)"/g).filter((name) => name !== 'message_update'),
    ...matches(updates.slice(0, updates.indexOf('};\n')), /type: "(\w+)"/g).map((name) => `message_update/${name}`),
    ...matches(frames, /output\(\{ type: "(\w+)"/g).filter((name) => name !== 'extension_ui_request'),
  ])
}

async function letta(binDir) {
  const packages = join(packagesOf(binDir), '@letta-ai')
  const wire = await textIn(packages, /^letta-code\/dist\/types\/protocol\.d\.ts$/)
  const messages = await textIn(packages, /^letta-client\/resources\/agents\/messages\.d\.ts$/)
  const ours = new Set(['user', 'control_request', 'message', 'preset', 'result', 'error'])
  return sorted([
    ...matches(wire, /^ {4}type: "(\w+)";/gm).filter((name) => !ours.has(name)),
    ...matches(messages, /message_type\?: '(\w+)'/g).map((name) => `message/${name}`),
  ])
}

async function kimi(binDir) {
  const bundle = await textIn(packagesOf(binDir), /^@moonshot-ai\/kimi-code\/dist\/main\.mjs$/)
  return sorted(matches(bundle, /role: "meta",\s+type: "([\w.]+)"/g))
}

/** The schemas of what a session tells, one after the other. */
async function droid(binDir) {
  const program = await readFile(join(binDir, 'droid'), 'latin1')
  const place = program.search(/\w+=\w+\(\{type:\w+\("assistant_text_complete"\)/)
  const around = program.slice(place - 6000, place + 6000)
  const list = around.slice(around.indexOf('"tool_result")'), around.indexOf('"edit"),filePath'))
  const named = new Set(['agent_turn_completed'])
  return sorted(matches(list, /\{type:\w{1,2}\("(\w+)"\)/g).filter((name) => !named.has(name))).map(
    (name) => `notification/${name}`,
  )
}

async function cline(binDir) {
  const program = await readFile(join(binDir, 'cline'), 'latin1')
  const named = new Set(['agent_event', 'run_result'])
  return sorted(matches(program, /\("stdout",\{type:"(\w+)"/g).filter((name) => !named.has(name)))
}

/** By agent: the kinds of the CLI in a directory of programs. */
export const kindsOf = {
  claude,
  cline,
  codex,
  copilot,
  droid,
  gemini,
  kilo,
  kimi,
  letta,
  omp,
  opencode,
  'opencode-http': opencodeHttp,
  pi,
  qoder,
  qwen,
}
