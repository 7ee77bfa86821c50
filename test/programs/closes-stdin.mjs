// Closes its stdin, and goes on writing for a while.
import { closeSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

closeSync(0)
for (let i = 0; i < 10; i++) {
  console.log(JSON.stringify({ type: 'file_read', path: String(i) }))
  await sleep(20)
}
