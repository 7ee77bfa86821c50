#!/usr/bin/env node
// Plays Claude Code: at the first prompt it writes what `scene.json` in its directory says, in the pieces given there.
const { readFileSync, existsSync } = require('node:fs')

if (process.argv.includes('--version')) {
  console.log('2.1.325 (Claude Code)')
  process.exit(0)
}
const scene = existsSync('scene.json') ? JSON.parse(readFileSync('scene.json', 'utf8')) : { stdout: [], stderr: [] }
const pause = () => new Promise((resolve) => setImmediate(resolve))
let hasPlayed = false

async function play() {
  for (const chunk of scene.stderr) {
    process.stderr.write(chunk)
    await pause()
  }
  for (const chunk of scene.stdout) {
    process.stdout.write(chunk)
    await pause()
  }
  if (scene.exit !== undefined) process.exit(scene.exit)
}

if (process.stdout.isTTY) void play() // on a terminal nobody sends a prompt as JSON

require('node:readline')
  .createInterface({ input: process.stdin })
  .on('line', (line) => {
    if (hasPlayed || !line.includes('"type":"user"')) return
    hasPlayed = true
    void play()
  })
  .on('close', () => process.exit(0))
