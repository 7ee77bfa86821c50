import { availablePlugins, installedPlugins } from '../../core/plugin-lists.ts'
import type { PluginReaders } from '../plugin-commands.ts'

export const plugins: PluginReaders = { installed: installedPlugins, available: availablePlugins }
