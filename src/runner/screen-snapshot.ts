import type { IBuffer, IBufferCell, Terminal } from '@xterm/headless'

const ESC = '\x1b'

/** What turns a cell's look into the codes that set it. */
function looksOf(cell: IBufferCell): string {
  const codes: (string | number)[] = [0]
  if (cell.isBold()) codes.push(1)
  if (cell.isDim()) codes.push(2)
  if (cell.isItalic()) codes.push(3)
  if (cell.isUnderline()) codes.push(4)
  if (cell.isBlink()) codes.push(5)
  if (cell.isInverse()) codes.push(7)
  if (cell.isInvisible()) codes.push(8)
  if (cell.isStrikethrough()) codes.push(9)
  if (cell.isFgRGB()) codes.push(`38;2;${rgb(cell.getFgColor())}`)
  else if (cell.isFgPalette()) codes.push(`38;5;${cell.getFgColor()}`)
  if (cell.isBgRGB()) codes.push(`48;2;${rgb(cell.getBgColor())}`)
  else if (cell.isBgPalette()) codes.push(`48;5;${cell.getBgColor()}`)
  return codes.join(';')
}

function rgb(color: number): string {
  return `${(color >> 16) & 255};${(color >> 8) & 255};${color & 255}`
}

/** One line with its looks, without the blank cells at its end. */
function lineText(buffer: IBuffer, y: number, cell: IBufferCell): string {
  const line = buffer.getLine(y)
  if (!line) return ''
  let [text, looks, blanks] = ['', '0', '']
  for (let x = 0; x < line.length; x++) {
    if (!line.getCell(x, cell) || cell.getWidth() === 0) continue
    const next = looksOf(cell)
    if (cell.getChars() === '' && next === '0') {
      blanks += ' '
      continue
    }
    if (blanks !== '') {
      text += (looks === '0' ? '' : `${ESC}[0m`) + blanks
      looks = '0'
      blanks = ''
    }
    if (next !== looks) text += `${ESC}[${next}m`
    looks = next
    text += cell.getChars() === '' ? ' ' : cell.getChars()
  }
  return looks === '0' ? text : `${text}${ESC}[0m`
}

/** Modes that change what keys send or what the program gets. */
function modesText({ modes }: Terminal): string {
  const on: string[] = []
  if (modes.applicationCursorKeysMode) on.push('1')
  if (modes.bracketedPasteMode) on.push('2004')
  if (modes.sendFocusMode) on.push('1004')
  const mouse = { none: '', x10: '9', vt200: '1000', drag: '1002', any: '1003' }[modes.mouseTrackingMode]
  if (mouse !== '') on.push(mouse, '1006')
  return on.map((mode) => `${ESC}[?${mode}h`).join('')
}

/** Text that brings an empty terminal of the same size to the same state: what is shown, the cursor and the modes. */
export function snapshot(terminal: Terminal): string {
  const { active, normal } = terminal.buffer
  const cell = active.getNullCell()
  const isAlternate = active !== normal && active.type === 'alternate'
  const first = isAlternate ? active.viewportY : Math.max(0, active.length - terminal.rows * 4)
  const last = isAlternate ? active.viewportY + terminal.rows : active.baseY + terminal.rows
  const lines: string[] = []
  for (let y = first; y < last; y++) lines.push(lineText(active, y, cell))
  const cursor = `${ESC}[${active.cursorY + 1};${active.cursorX + 1}H`
  return `${isAlternate ? `${ESC}[?1049h` : ''}${ESC}[H${ESC}[2J${lines.join('\r\n')}${cursor}${modesText(terminal)}`
}
