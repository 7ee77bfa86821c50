import { type ChildProcess, spawn } from 'node:child_process'
import { RUN_MARKER } from './environment.ts'
import { identityOf } from './identity.ts'

/** How long what is left gets between TERM and KILL, in tenths of a second. */
const GRACE_TENTHS = 20
const MAX_RESTARTS = 3

/**
 * Waits at a pipe for the end of the process that owns the run. `$1` is the variable that marks every process of the
 * run, `$2` the grace period. A line `agent <pid> <start time>` names the process group to end; the start time shows
 * whether the pid has passed to somebody else, which means that the group is gone.
 */
const SCRIPT = `
group= start=
while read -r word pid time; do
  case $word in
    agent) group=$pid start=$time ;;
    done) exit 0 ;;
  esac
done
started() {
  IFS= read -r stat 2>/dev/null < "/proc/$1/stat" || return 1
  set -- \${stat##*) }
  echo "\${20}"
}
if [ -n "$group" ] && [ -n "$start" ]; then
  now=$(started "$group") && [ "$now" != "$start" ] && group=
fi
marked() {
  grep -lzxF -e "$1" /proc/[0-9]*/environ 2>/dev/null | while IFS=/ read -r _ _ pid _; do echo "$pid"; done
}
end() {
  [ -n "$group" ] && kill "-$1" -- "-$group" 2>/dev/null
  for pid in $(marked "$2"); do kill "-$1" "$pid" 2>/dev/null; done
}
left() {
  [ -n "$group" ] && kill -0 -- "-$group" 2>/dev/null && return 0
  [ -n "$(marked "$1")" ]
}
end TERM "$1"
end CONT "$1"
tenths=0
while [ $tenths -lt $2 ] && left "$1"; do sleep 0.1; tenths=$((tenths + 1)); done
tries=0
while [ $tries -lt 20 ] && left "$1"; do end KILL "$1"; sleep 0.1; tries=$((tries + 1)); done
`

const guarded = new Set<string>()

/** Whether somebody in this process has a guard for the run already. */
export function isGuarded(runId: string): boolean {
  return guarded.has(runId)
}

/** A process that outlives this one just long enough to end the agent, should this one be killed. POSIX only. */
export class Guard {
  readonly #runId: string
  readonly #marker: string
  #child: ChildProcess | null = null
  #agent = ''
  #restarts = 0
  #isDone = process.platform === 'win32'

  constructor(runId: string) {
    this.#runId = runId
    this.#marker = `${RUN_MARKER}=${runId}`
    guarded.add(runId)
    this.#start()
  }

  get pid(): number | undefined {
    return this.#child?.pid
  }

  watch(pid: number): void {
    // Elsewhere a start time is several words, and the guard cannot look it up.
    const startTime = process.platform === 'linux' ? identityOf(pid)?.startTime : ''
    if (startTime === undefined) return // it is gone already
    this.#agent = `agent ${pid} ${startTime}\n`
    this.#write(this.#agent)
  }

  /** The agent is gone and all it started. */
  done(): void {
    this.#isDone = true
    guarded.delete(this.#runId)
    this.#write('done\n')
    this.#child?.stdin?.end()
  }

  #start(): void {
    if (this.#isDone) return
    const child = spawn('/bin/sh', ['-c', SCRIPT, 'amux-guard', this.#marker, String(GRACE_TENTHS)], {
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
      env: { PATH: process.env.PATH ?? '/usr/bin:/bin' },
      cwd: '/',
    })
    child.stdin?.on('error', () => {}) // it is gone, which `exit` reports
    child.on('error', () => {}) // without a shell nobody ends the agent of a killed library; a daemon cleans up
    child.once('exit', () => this.#restart())
    child.unref()
    if (child.stdin && 'unref' in child.stdin && typeof child.stdin.unref === 'function') child.stdin.unref()
    this.#child = child
    this.#write(this.#agent)
  }

  #restart(): void {
    this.#restarts += 1
    if (this.#restarts <= MAX_RESTARTS) this.#start()
  }

  #write(text: string): void {
    if (text !== '') this.#child?.stdin?.write(text)
  }
}
