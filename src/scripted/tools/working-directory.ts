import { isAbsolute, join } from 'node:path'
import type { ToolDeclaration } from '../conversation.ts'
import type { ToolIntent } from '../types.ts'

/** How agents tell the model where it works: a tag, `Primary working directory: /x`, `**Workspace Directories:**\n - /x`. */
const labels = [
  '<cwd>',
  'the directory:',
  '(?:working|workspace|current|root)[ _](?:director(?:y|ies)|folder)[^\\n/]{0,30}?[:`*\\s]',
]
const announced = new RegExp(`(?:${labels.join('|')})[\\s\`*-]*(/[^\\s<\`]*|[A-Za-z]:\\\\[^\\n<\`]*)`, 'i')

export const workingDirectory = (context: string): string | undefined =>
  announced.exec(context)?.[1]?.replace(/[.,;]$/, '')

/** File tools often insist on absolute paths; patches are relative by definition. */
export const absolutePath = (intent: ToolIntent, tool: ToolDeclaration, context: string): ToolIntent => {
  if (intent.intent !== 'write' && intent.intent !== 'read') return intent
  const directory = workingDirectory(context)
  if (!directory || isAbsolute(intent.path) || /^apply_?patch$/i.test(tool.name)) return intent
  return { ...intent, path: join(directory, intent.path) }
}
