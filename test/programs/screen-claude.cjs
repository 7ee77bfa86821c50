#!/usr/bin/env node
// Plays the screen of Claude Code: a line to type in, an answer to what is sent, a dialog for `ask` (`ask deaf` takes no
// answer, `ask plainly` marks no choice),
// much text for `flood` and `spew`, odd text for `wide`, and for `leak` the value of a variable, parted at every place.
const ESC = '\x1b'
const PASTE = `${ESC}[200~`
const PASTED = `${ESC}[201~`
const RULE = '─'.repeat(40)
const said = []
let typed = ''
let dialog = false
let isDeaf = false
let isPlain = false
let reported = false
let pasting = false
let isLeaked = false

const out = (text) => process.stdout.write(text)

function draw() {
  const { columns, rows } = process.stdout
  const lines = [`fake claude ${columns}x${rows} ${reported ? 'answered' : 'unanswered'}`, ...said]
  if (dialog)
    lines.push(
      ' Do you want to proceed?',
      isPlain ? '   1. Yes' : ' ❯ 1. Yes',
      '   2. No',
      ' Esc to cancel · Tab to amend',
    )
  else lines.push(RULE, `❯ ${typed.replaceAll('\n', '⏎')}`, RULE, '  ⏸ manual mode on · ? for shortcuts')
  out(
    `\x1b[H\x1b[2J\x1b[1;32m${lines[0]}\x1b[0m\r\n${lines
      .slice(1)
      .slice(-(rows - 2))
      .join('\r\n')}`,
  )
}

/** So many megabytes, as fast as they are taken. */
function spew(megabytes) {
  const line = `${'0123456789'.repeat(10)}\r\n`
  for (let i = 0; i < megabytes; i++) out(line.repeat(10_000))
  said.push('● spewed')
}

/** Each on a line of its own, in two writes. */
function leak(value) {
  out('\x1b[H\x1b[2J')
  for (let at = 1; at < value.length; at++) {
    out(`\x1b[${at};1H#${at} ${value.slice(0, at)}`)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5)
    out(`${value.slice(at)}|`)
  }
  isLeaked = true // what was written stays on the screen
}

function submit() {
  const text = typed
  typed = ''
  if (text.startsWith('ask')) dialog = true
  isDeaf = text === 'ask deaf'
  isPlain = text === 'ask plainly'
  if (isPlain) said.push(`❯ ${text}`)
  if (dialog) return
  if (text === 'bye') process.exit(7)
  else if (text.startsWith('flood ')) for (let i = 1; i <= Number(text.slice(6)); i++) out(`\r\n#${i}#`)
  else if (text.startsWith('spew ')) spew(Number(text.slice(5)))
  else if (text.startsWith('leak ')) leak(process.env[text.slice(5)])
  else if (text === 'wide')
    said.push('● 漢字かな 👍 e\u0301 |', '\x1b[7m● inverse\x1b[0m \x1b[38;2;1;2;3mcolour\x1b[0m |')
  else said.push(`● you said ${JSON.stringify(text)}`)
}

function onKey(key) {
  if (dialog) {
    if (!isDeaf && ['\r', '1', '\x1b'].includes(key)) {
      said.push(key === '\x1b' ? '● denied' : '● allowed')
      dialog = false
    }
  } else if (key === '\r' && !pasting) submit()
  else if (key === '\x1b') said.push('● interrupted')
  else if (key === '\x15') typed = ''
  else typed += key
}

process.stdin.setRawMode(true)
process.stdin.on('data', (chunk) => {
  let text = String(chunk).replace(new RegExp(`${ESC}\\[\\d+;\\d+R`, 'g'), () => {
    reported = true
    return ''
  })
  while (text !== '') {
    const mark = [PASTE, PASTED].find((one) => text.startsWith(one))
    if (mark !== undefined) pasting = mark === PASTE
    else onKey(text[0])
    text = text.slice(mark?.length ?? 1)
  }
  if (!isLeaked) draw()
})
process.stdout.on('resize', draw)
out('\x1b[?1049h\x1b[?2004h\x1b[6n')
const prompt = process.argv.includes('--') ? process.argv.at(-1) : ''
if (prompt !== '') {
  typed = prompt
  submit()
}
draw()
