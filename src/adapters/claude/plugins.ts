import { availablePlugins, installedPlugins } from '../kit/plugin-lists.ts'
import type { PluginReaders } from '../plugin-commands.ts'

export const plugins: PluginReaders = { installed: installedPlugins, available: availablePlugins }
