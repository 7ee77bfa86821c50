import type fc from 'fast-check'
import type { SharedHookFile } from '../../src/contract/hooks.ts'
import { jsonSettings, tomlSettings, type UserFile, yamlSettings } from './user-files.ts'

/** Entries such as adapters plan them, for each format. */

const command = (event: string) => `'/some where/amux-hook' test ${event}`

export const group = (event: string) => ({ matcher: '*', hooks: [{ type: 'command', command: command(event) }] })

export const ENTRIES: Record<SharedHookFile['format'], SharedHookFile['entries']> = {
  json: ['SessionStart', 'Stop', 'New'].map((event) => ({
    keyPath: ['hooks', event],
    as: 'item',
    value: group(event),
  })),
  toml: ['SessionStart', 'Stop'].map((event) => ({
    keyPath: ['hooks'],
    as: 'item',
    value: { event, command: command(event) },
  })),
  yaml: ['pre_tool_call', 'on_session_end'].map((event) => ({
    keyPath: ['hooks', event],
    as: 'item',
    value: { command: command(event) },
  })),
}

export const KINDS: [SharedHookFile['format'], fc.Arbitrary<UserFile>][] = [
  ['json', jsonSettings],
  ['toml', tomlSettings],
  ['yaml', yamlSettings],
]
