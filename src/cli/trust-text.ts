import { dirname } from 'node:path'
import { quoteWord } from '../core/command-line.ts'
import type { AgentMuxClient } from '../mux/client.ts'
import type { TrustStatus, Widening } from '../mux/project-trust.ts'
import type { Output, Paint } from './output.ts'

const MOST = 2000

/** What a project would change, file by file, as a diff of the options. */
export function trustText({ directory, widens, hides }: TrustStatus, paint: Paint): string {
  const files = [...new Set(widens.map(({ file }) => file))]
  return [
    `${directory} asks for more than you allow:`,
    ...files.flatMap((file) => [
      '',
      paint('bold', file),
      ...widens.filter((one) => one.file === file).flatMap((one) => changeLines(one, paint)),
    ]),
    ...hides.map((name) => `\nIts profile "${name}" would replace yours of that name.`),
    '',
  ].join('\n')
}

function changeLines({ option, now, wanted }: Widening, paint: Paint): string[] {
  const before = now === undefined ? [] : [paint('red', `- ${option}: ${shown(now)}`)]
  return [...before, paint('green', `+ ${option}: ${shown(wanted)}`)]
}

/** JSON on one line; characters that a terminal would not show are shown by their code. */
function shown(value: unknown): string {
  const text = (JSON.stringify(value) ?? '').replace(
    /[^\P{C}]|[\u2028\u2029]/gu,
    (char) => `\\u${(char.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  )
  return text.length > MOST ? `${text.slice(0, MOST)}… (${text.length} characters)` : text
}

/** One line for a session that starts in a project whose settings are not trusted. */
export function noteUntrusted(mux: AgentMuxClient, cwd: string, output: Output): void {
  const { trusted, widens, directory } = mux.trust.status(cwd)
  const ignored = widens.filter(({ file }) => file === 'config.json').map(({ option }) => option)
  if (trusted || ignored.length === 0) return
  const what = `${ignored.join(', ')} in ${directory}/config.json`
  output.note(
    `amux: ${what} needs your trust, so it is ignored. \`amux trust ${quoteWord(dirname(directory))}\` shows it, and asks.`,
  )
}
