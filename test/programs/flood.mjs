// Writes that many numbered events as fast as the pipe takes them: flood.mjs <count> [stderr file of the position]
import { writeFileSync } from 'node:fs'

const count = Number(process.argv[2])
const positionFile = process.argv[3]
const BATCH = 500
let next = 0
const write = () => {
  while (next < count) {
    let lines = ''
    for (const end = Math.min(next + BATCH, count); next < end; next++)
      lines += `{"type":"file_read","path":"${next}"}\n`
    if (positionFile) writeFileSync(positionFile, String(next))
    if (!process.stdout.write(lines)) {
      process.stdout.once('drain', write)
      return
    }
  }
}
write()
