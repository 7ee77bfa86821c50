import { expect, test } from 'vitest'
import { COMMANDS } from './commands.ts'
import { commandHelp, exitCodeHelp, overview } from './help.ts'
import { plain } from './output.ts'
import { displayWidth } from './text.ts'

const loaded = await Promise.all(COMMANDS.map(async (entry) => ({ entry, command: (await entry.load()).command })))
const words = (text: string) => text.split(/\s+/).filter(Boolean)

test.each([40, 80, 160])('help fits %i columns, and says the same', (width) => {
  const helps = (room: number) => [
    overview(COMMANDS, plain, room),
    exitCodeHelp(plain, room),
    ...loaded.map(({ entry, command }) => commandHelp(entry, command, plain, room)),
  ]
  for (const [index, text] of helps(width).entries()) {
    expect(words(text)).toEqual(words(helps(Number.POSITIVE_INFINITY)[index] ?? ''))
    // Examples and usages are pasted and looked up: they are left whole.
    const [told = ''] = text.split('\nExamples\n')
    for (const line of told.split('\n').slice(3)) {
      if (/^ *(-\w, )?--\S+ \S+( …)?$/.test(line)) continue
      expect(displayWidth(line), line).toBeLessThanOrEqual(width)
    }
  }
})
