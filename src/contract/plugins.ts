import type { PluginFormat } from './capabilities.ts'
import type { AgentName } from './names.ts'

export interface InstalledPlugin {
  pluginId: string
  name: string
  version: string
  agent: AgentName
  format: PluginFormat
  description?: string
  installedAt?: number
  enabled: boolean
}

export interface PluginInstallOptions {
  version?: string
  global?: boolean
  skipVerify?: boolean
}

export interface PluginSearchOptions {
  agents?: AgentName[]
  format?: PluginFormat
  registry?: string
  limit?: number
}

export interface PluginListing {
  pluginId: string
  name: string
  latestVersion: string
  description: string
  author: string
  weeklyDownloads?: number
  agents: AgentName[]
  formats: PluginFormat[]
  registry: string
  tags: string[]
  url: string
}

export interface PluginDetail extends PluginListing {
  readme?: string
  changelog?: string
  versions: string[]
  dependencies?: Record<string, string>
  agentMinVersions?: Record<string, string>
}
