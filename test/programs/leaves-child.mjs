// Starts a process that should outlive it: leaves-child.mjs <how> <then>
//   how: group | setsid | clear-env | double-fork | hold-pipe | flood-pipe
//   then: exit | stay | ignore-term
import { spawn } from 'node:child_process'

const [how = 'setsid', then = 'exit'] = process.argv.slice(2)
const SLEEP = ['sleep', ['300']]
const FLOOD = [
  process.execPath,
  [
    '-e',
    `const line = '{"type":"file_read","path":"x"}\\n'.repeat(500);
const write = () => { while (process.stdout.write(line)); process.stdout.once('drain', write) }; write()`,
  ],
]
// A daemon in the classic way: its parent leaves at once, so it hangs below init.
const DAEMON = ['sh', ['-c', 'setsid sleep 300 >/dev/null 2>&1 & echo $!']]

const [command, args] = how === 'flood-pipe' ? FLOOD : how === 'double-fork' ? DAEMON : SLEEP
const holdsPipe = how === 'hold-pipe' || how === 'flood-pipe'
const child = spawn(command, args, {
  detached: how !== 'group',
  env: how === 'clear-env' ? { PATH: process.env.PATH } : process.env,
  stdio: holdsPipe ? ['ignore', 'inherit', 'inherit'] : ['ignore', 'pipe', 'ignore'],
})

const tell = (pid) => console.log(JSON.stringify({ type: 'debug', level: 'info', message: `pid ${pid}` }))
const leave = () => {
  if (then === 'exit') process.exit(0)
  if (then === 'ignore-term') process.on('SIGTERM', () => {})
  setInterval(() => {}, 1000)
}

if (how === 'double-fork') {
  child.stdout.once('data', (line) => {
    tell(Number(line))
    setTimeout(leave, 20)
  })
} else {
  tell(child.pid)
  // Long enough that a tool of an agent would have run: an instant daemon is the case of double-fork.
  setTimeout(leave, 300)
}
child.unref()
