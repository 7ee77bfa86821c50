// Writes chunks of bytes, given as hex, one after another: bytes.mjs '["7b22", …]'
import { setTimeout as sleep } from 'node:timers/promises'

for (const chunk of JSON.parse(process.argv[2])) {
  await new Promise((done) => process.stdout.write(Buffer.from(chunk, 'hex'), done))
  await sleep(30) // so that the reader sees two writes as two
}
