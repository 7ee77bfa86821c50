import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { buildCli } from './built-cli.ts'

export interface Finished {
  code: number | null
  stdout: string
  stderr: string
}

export interface StartOptions {
  input?: string
  env?: Record<string, string>
}

const TOOLS = 'sh sleep stty cat mkdir rm mv find head tail grep touch dirname readlink'.split(' ')

/** The built command line with the fake agent, in a home and a directory of its own; for one test file. */
export function cliBench() {
  const scratch = mkdtempSync(join(tmpdir(), 'amux cli '))
  const home = join(scratch, 'home')
  const work = join(scratch, 'work')
  const tools = join(scratch, 'tools')
  const { cli, agents } = buildCli(scratch)

  beforeAll(() => {
    for (const dir of [home, work]) mkdirSync(dir)
    linkTools()
  })

  /** Only these are on PATH besides the fake agent, so that agents installed on this machine play no part. */
  function linkTools(): void {
    mkdirSync(tools)
    symlinkSync(process.execPath, join(tools, 'node'))
    for (const name of TOOLS) {
      const found = ['/bin', '/usr/bin'].map((dir) => join(dir, name)).find(existsSync)
      if (found) symlinkSync(found, join(tools, name))
    }
  }

  afterAll(() => rmSync(scratch, { recursive: true, force: true }))

  const ENVIRONMENT = { HOME: home, PATH: [agents, tools].join(delimiter) }

  function start(args: string[], { input, env = {} }: StartOptions = {}): ChildProcess {
    const child = spawn(process.execPath, [cli, ...args], { cwd: work, env: { ...ENVIRONMENT, ...env } })
    child.stdin?.on('error', () => {}).end(input ?? '')
    return child
  }

  function finished(child: ChildProcess): Promise<Finished> {
    let stdout = ''
    let stderr = ''
    child.stdout?.on('data', (chunk) => {
      stdout += chunk
    })
    child.stderr?.on('data', (chunk) => {
      stderr += chunk
    })
    return new Promise((resolve) => child.on('close', (code) => resolve({ code, stdout, stderr })))
  }

  function amux(args: string[], options?: StartOptions): Promise<Finished> {
    return finished(start(args, options))
  }

  return { ENVIRONMENT, agents, amux, cli, finished, home, scratch, start, tools, work }
}

export function records(stdout: string): { type: string; [field: string]: unknown }[] {
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
}
