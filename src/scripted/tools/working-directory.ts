import { isAbsolute, join } from 'node:path'
import type { ToolDeclaration } from '../conversation.ts'
import type { ToolIntent } from '../types.ts'

/** How agents tell the model where it works: `<cwd>/x</cwd>`, `Primary working directory: /x`, `… the directory: /x`. */
const announced = /(?:<cwd>|(?:working|workspace|current|root)[ _](?:directory|folder)[^\n/]{0,30}?[:`*\s]|the directory:)[\s`*]*(\/[^\s<`]*|[A-Za-z]:\\[^\n<`]*)/i

export const workingDirectory = (context: string): string | undefined => announced.exec(context)?.[1]?.replace(/[.,;]$/, '')

/** File tools often insist on absolute paths; patches are relative by definition. */
export const absolutePath = (intent: ToolIntent, tool: ToolDeclaration, context: string): ToolIntent => {
  if (intent.intent !== 'write' && intent.intent !== 'read') return intent
  const directory = workingDirectory(context)
  if (!directory || isAbsolute(intent.path) || /^apply_?patch$/i.test(tool.name)) return intent
  return { ...intent, path: join(directory, intent.path) }
}
