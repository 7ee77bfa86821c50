import { configuredPlugins } from '../families/opencode/plugins.ts'
import type { PluginReaders } from '../plugin-commands.ts'

export const plugins: PluginReaders = { installed: configuredPlugins }
