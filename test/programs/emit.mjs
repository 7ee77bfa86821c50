// Writes the given records one a line, then exits as told: emit.mjs '[…]' [exit code] [signal] [stderr]
// In one write: a run that is stopped after the first record still has them all.
const [records = '[]', code = '0', signal = '', stderr = ''] = process.argv.slice(2)
const lines = JSON.parse(records).map((record) => (typeof record === 'string' ? record : JSON.stringify(record)))
process.stdout.write(lines.map((line) => `${line}\n`).join(''))
if (stderr) console.error(stderr)
if (signal) process.kill(process.pid, signal)
else process.exitCode = Number(code)
