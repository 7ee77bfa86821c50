import { AgentMuxError } from '../contract/errors.ts'
import type { Inquiry } from '../contract/inquiry.ts'
import { here } from './here.ts'
import { signalGroup } from './signal.ts'

const TIMEOUT_MS = 90_000
const MAX_OUTPUT = 16 * 1024 * 1024

export interface InquiryHost {
  command: string
  env: Record<string, string>
  cwd: string
  timeoutMs?: number
}

interface Ending {
  code: number | null
  /** The last of what it has to say. */
  said: string
}

/**
 * Puts a question to a CLI and ends it, with all that it has started, as soon as the answer is there. Throws what the
 * CLI said where it ends, or time runs out, without an answer.
 */
export async function inquire<Answer>(inquiry: Inquiry<Answer>, host: InquiryHost, place = here): Promise<Answer> {
  const { command, cwd, timeoutMs = TIMEOUT_MS } = host
  const child = await place.spawn({ command, args: inquiry.args, cwd, env: { ...host.env, ...inquiry.env } })
  const { answer, ending } = await new Promise<{ answer: Answer | null; ending: Ending }>((resolve, reject) => {
    let [stdout, stderr] = ['', '']
    let answer: Answer | null = null
    // The whole group, so that no helper of the CLI stays behind.
    const end = () => void signalGroup(child.pid, 'SIGKILL')
    const timer = setTimeout(end, timeoutMs)
    const read = () => {
      try {
        answer = inquiry.read(stdout, stderr)
      } catch (error) {
        end()
        reject(error)
      }
    }
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      if (answer !== null || stdout.length > MAX_OUTPUT) return
      stdout += text
      // Only a CLI that waits for more input can be done before it ends.
      if (inquiry.input !== undefined) read()
      if (answer !== null) end()
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr = `${stderr}${text}`.slice(-MAX_OUTPUT)
    })
    child.stdin.on('error', () => {}) // it may end before it has read all
    child.once('error', reject)
    child.once('close', () => {
      const code = child.exitCode
      clearTimeout(timer)
      end()
      if (answer === null && code === 0) read()
      resolve({ answer, ending: { code, said: (stderr.trim() || stdout.trim()).slice(-1000) } })
    })
    if (inquiry.input === undefined) child.stdin.end()
    else child.stdin.write(inquiry.input)
  })
  if (answer !== null) return answer
  const why = ending.code === null ? 'it did not answer in time' : `it ended with exit code ${ending.code}`
  throw new AgentMuxError('AGENT_CRASH', `\`${command} ${inquiry.args.join(' ')}\` gave no answer: ${why}`, {
    hint: ending.said === '' ? undefined : ending.said,
  })
}
