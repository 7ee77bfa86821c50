import { execFileSync } from 'node:child_process'

/** User and system time of one run of a command in milliseconds, as the mean of several. */
export function cpuOf(command, times = 15) {
  const loop = `TIMEFORMAT='%U %S'; time (for i in $(seq ${times}); do ${command} >/dev/null; done)`
  const output = execFileSync('bash', ['-c', `{ ${loop}; } 2>&1`], { encoding: 'utf8' })
  const [user, system] = output.trim().split('\n').at(-1).split(' ').map(Number)
  return ((user + system) * 1000) / times
}
