// Writes the given records one a line, then exits as told: emit.mjs '[…]' [exit code] [signal] [stderr]
const [records = '[]', code = '0', signal = '', stderr = ''] = process.argv.slice(2)
for (const record of JSON.parse(records)) console.log(typeof record === 'string' ? record : JSON.stringify(record))
if (stderr) console.error(stderr)
if (signal) process.kill(process.pid, signal)
else process.exitCode = Number(code)
