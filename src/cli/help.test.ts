import { expect, test } from 'vitest'
import type { Command, CommandEntry } from './command.ts'
import { COMMANDS } from './commands.ts'
import { commandHelp, exitCodeHelp, overview } from './help.ts'
import { plain } from './output.ts'
import { displayWidth } from './text.ts'

async function load(entries: readonly CommandEntry[]): Promise<{ entry: CommandEntry; command: Command }[]> {
  const found = await Promise.all(
    entries.map(async (entry) => {
      const { command } = await entry.load()
      return [{ entry, command }, ...(await load(command.subcommands ?? []))]
    }),
  )
  return found.flat()
}

const loaded = await load(COMMANDS)
const words = (text: string) => text.split(/\s+/).filter(Boolean)

test.each([40, 80, 160])('help fits %i columns, and says the same', (width) => {
  const helps = (room: number) => [
    overview(COMMANDS, plain, room),
    exitCodeHelp(plain, room),
    ...loaded.map(({ entry, command }) => commandHelp(entry, command, plain, room)),
  ]
  const whole = helps(Number.POSITIVE_INFINITY)
  for (const [index, text] of helps(width).entries()) {
    expect(words(text)).toEqual(words(whole[index] ?? ''))
    // Examples are pasted: they are left whole.
    const [told = ''] = text.split('\nExamples\n')
    for (const line of told.split('\n')) expect(displayWidth(line), line).toBeLessThanOrEqual(width)
  }
})

test('every flag stands in its column, with a gap before what it does', () => {
  for (const { entry, command } of loaded) {
    const text = commandHelp(entry, command, plain, 200)
    for (const line of text.split('\n').filter((line) => /^ {2}(-\w,| {3}) --/.test(line))) {
      expect(line, `amux ${entry.name}`).toMatch(/^.{32} {2}\S/)
    }
  }
})
