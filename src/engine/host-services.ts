import { lstat, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import type { HostRequest, HostResult } from '../contract/dialogue.ts'
import type { RunOptions } from '../contract/run-options.ts'
import { agentEnvironment } from '../process/environment.ts'
import type { Place } from '../process/place.ts'
import { HostTerminal } from './host-terminal.ts'
import { isBelow } from './is-below.ts'
import { readOwnFile } from './own-files.ts'

export interface HostContext {
  runId: string
  options: RunOptions
  processEnv: Readonly<Record<string, string | undefined>>
  place: Place
}

const MAX_FILE_BYTES = 16 * 1024 * 1024
const MAX_TERMINALS = 64

class Refusal extends Error {}

/**
 * Does what an agent asks of its host: files and commands, inside the workspace (`cwd` and `addDirs`) and nowhere
 * else. Whether the agent may do it at all was decided before; mode `deny` is kept here once more, because a mistake
 * elsewhere must not write anything.
 */
export class HostServices {
  readonly #context: HostContext
  readonly #terminals = new Map<string, HostTerminal>()
  #isClosed = false

  constructor(context: HostContext) {
    this.#context = context
  }

  get #env(): Readonly<Record<string, string | undefined>> {
    return { ...this.#context.processEnv, ...this.#context.options.env }
  }

  /** Never rejects: what could not be done is reported to the agent. */
  async perform(request: HostRequest): Promise<HostResult> {
    try {
      return await this.#do(request)
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      if (error instanceof Refusal) return { type: 'error', reason: 'refused', message }
      return { type: 'error', reason: isMissing(error) ? 'not_found' : 'failed', message }
    }
  }

  /** Ends every command that still runs. */
  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all([...this.#terminals.values()].map((terminal) => terminal.end()))
    this.#terminals.clear()
  }

  async #do(request: HostRequest): Promise<HostResult> {
    if (this.#isClosed) throw new Refusal('The run has ended.')
    switch (request.type) {
      case 'read_text_file':
        return { type: 'text', content: await this.#read(request) }
      case 'read_own_file':
        return { type: 'text', content: await readOwnFile(request, this.#env) }
      case 'write_text_file':
        await this.#write(request)
        return { type: 'done' }
      case 'terminal_create':
        await this.#create(request)
        return { type: 'done' }
      case 'terminal_output':
        return { type: 'output', ...this.#terminal(request.terminalId).state }
      case 'terminal_wait':
        return { type: 'exit', exit: await this.#terminal(request.terminalId).exited }
      case 'terminal_kill':
        await this.#terminal(request.terminalId).end()
        return { type: 'done' }
      case 'terminal_release': {
        const terminal = this.#terminal(request.terminalId)
        this.#terminals.delete(request.terminalId)
        await terminal.end()
        return { type: 'done' }
      }
    }
  }

  async #read({ path, line, limit }: Extract<HostRequest, { type: 'read_text_file' }>): Promise<string> {
    const target = await this.#inside(path)
    const { size } = await regularFile(target)
    if (size > MAX_FILE_BYTES) throw new Error(`${path} is larger than ${MAX_FILE_BYTES} bytes`)
    const text = await this.#context.place.read(target)
    if (line === undefined && limit === undefined) return text
    const lines = text.split('\n')
    const start = Math.max(0, (line ?? 1) - 1)
    return lines.slice(start, limit === undefined ? undefined : start + limit).join('\n')
  }

  async #write({ path, content }: Extract<HostRequest, { type: 'write_text_file' }>): Promise<void> {
    this.#refuseInDenyMode('write')
    const target = await this.#inside(path)
    await regularFile(target).catch((error) => {
      if (!isMissing(error)) throw error
    })
    await this.#context.place.write(target, content, false)
  }

  async #create(request: Extract<HostRequest, { type: 'terminal_create' }>): Promise<void> {
    this.#refuseInDenyMode('run commands')
    if (this.#terminals.size >= MAX_TERMINALS) throw new Refusal(`No more than ${MAX_TERMINALS} terminals at a time.`)
    if (this.#terminals.has(request.terminalId)) throw new Refusal(`Terminal ${request.terminalId} exists already.`)
    const { options, processEnv, runId, place } = this.#context
    const cwd = await this.#inside(request.cwd ?? '.')
    const set = [options.env ?? {}, request.env]
    const env = agentEnvironment({ processEnv, passEnv: options.passEnv ?? [], set, runId })
    // The run may have ended while the directory was looked up.
    if (this.#isClosed) throw new Refusal('The run has ended.')
    const terminal = await HostTerminal.start(place, request, cwd, env)
    this.#terminals.set(request.terminalId, terminal)
    // It may also have ended while the command was started.
    if (this.#isClosed) await terminal.end()
  }

  #terminal(terminalId: string): HostTerminal {
    const terminal = this.#terminals.get(terminalId)
    if (!terminal) throw Object.assign(new Error(`There is no terminal ${terminalId}`), { code: 'ENOENT' })
    return terminal
  }

  #refuseInDenyMode(what: string): void {
    if (this.#context.options.approvalMode === 'deny') throw new Refusal(`The approval mode is deny: cannot ${what}.`)
  }

  /** Where a path really is, links followed. Throws when it is outside the workspace. */
  async #inside(path: string): Promise<string> {
    const { cwd = process.cwd(), addDirs = [] } = this.#context.options
    const target = await realPath(resolve(cwd, path))
    for (const root of [cwd, ...addDirs.map((dir) => resolve(cwd, dir))]) {
      const realRoot = await realpath(root).catch(() => null)
      if (realRoot !== null && isBelow(realRoot, target)) return target
    }
    throw new Refusal(`${path} is outside the workspace.`)
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}

/** Where a path really is, also when its last parts do not exist yet. */
async function realPath(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch (error) {
    if (!isMissing(error) || dirname(path) === path) throw error
    // A link that leads nowhere would be followed by a write.
    await refuseDanglingLink(path)
    return join(await realPath(dirname(path)), basename(path))
  }
}

async function refuseDanglingLink(path: string): Promise<void> {
  const found = await lstat(path).catch(() => null)
  if (found?.isSymbolicLink()) throw new Refusal(`${path} is a link that leads nowhere.`)
}

async function regularFile(path: string): Promise<{ size: number }> {
  const found = await stat(path)
  if (!found.isFile()) throw new Error(`${path} is not a file`)
  return found
}
