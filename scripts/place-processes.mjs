import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

const GRACE_MS = 5000

/** The processes that work in a directory, or whose command or environment names it. Only Linux tells. */
function processesIn(directory) {
  const pids = attempt(() => readdirSync('/proc'), []).filter(
    (name) => /^\d+$/.test(name) && Number(name) !== process.pid,
  )
  return pids.flatMap((pid) => {
    const [words, variables] = ['cmdline', 'environ'].map((file) =>
      attempt(() => readFileSync(`/proc/${pid}/${file}`, 'utf8'), ''),
    )
    const cwd = attempt(() => readlinkSync(`/proc/${pid}/cwd`), '')
    // The command of a process that has ended is empty.
    const isHere = words !== '' && [words, variables, cwd].some((text) => text.includes(directory))
    return isHere ? [{ pid: Number(pid), words: words.replaceAll('\0', ' ').trim() }] : []
  })
}

/** Those that do not end by themselves in a moment. */
export async function lastingIn(directory) {
  const until = Date.now() + GRACE_MS
  for (;;) {
    const found = processesIn(directory)
    if (found.length === 0 || Date.now() > until) return found
    await sleep(50)
  }
}

/** Ends what is left in a directory of our own; tests that were stopped leave daemons and agents behind. */
export async function endAll(directory) {
  for (const signal of ['SIGTERM', 'SIGKILL']) {
    for (const { pid } of processesIn(directory)) attempt(() => process.kill(pid, signal))
    await lastingIn(directory)
  }
}

function attempt(act, otherwise) {
  try {
    return act()
  } catch {
    return otherwise
  }
}
