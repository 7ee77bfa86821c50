import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** User and system time of one run of a command in milliseconds, as the mean of several. */
export function cpuOf(command, times = 15, options = {}) {
  const loop = `TIMEFORMAT='%3U %3S'; time (for i in $(seq ${times}); do ${command} >/dev/null; done)`
  const output = execFileSync('bash', ['-c', `{ ${loop}; } 2>&1`], { encoding: 'utf8', ...options })
  const [user, system] = output.trim().split('\n').at(-1).split(' ').map(Number)
  return ((user + system) * 1000) / times
}

/** The same of several commands, turn by turn, so that a noisy moment hits them all: of each the one in the middle. */
export function cpuOfEach(commands, rounds = 25) {
  const times = commands.map(() => [])
  for (let round = 0; round < rounds; round++) {
    for (const [index, command] of commands.entries()) times[index].push(cpuOf(command, 1))
  }
  return times.map((of) => of.sort((a, b) => a - b)[rounds >> 1])
}

/** User and system time that a process has taken so far, in milliseconds. */
export function cpuMs(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}
