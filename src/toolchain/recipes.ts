import type { AgentCapabilities } from '../contract/capabilities.ts'
import type { AgentName } from '../contract/names.ts'
import { BUN, NODE_22, NODE_24, type Runtime } from './runtimes.ts'

/** How to get one real CLI from the npm registry, where `npm install` alone is not enough. */
export interface InstallRecipe {
  /**
   * The package that holds the command. Where each platform has its own: `{platform}` and `{arch}` are Node's names for it,
   * `{os}` is the same with `windows` for win32.
   */
  npmPackage: string
  command: string
  /**
   * A script of the package's own that has to run after install. We install without scripts, so that no dependency
   * runs code, and then run just this one.
   */
  setupScript?: string
  /** What the command has to run on, where the user's own Node may be too old or is not Node at all. */
  runtime?: Runtime
  /** Where the command lies in the package, when the package names no command: those of one platform do not. */
  binDir?: string
  /** A file in `binDir` that is the command itself, compressed with Brotli. */
  brotli?: string
  /** The agent whose installation this one is, too. */
  sharedWith?: AgentName
  /** Dependencies whose code is in the command's own bundle already; not all of them are on every registry. */
  bundled?: readonly string[]
  /** An older form of the agent, under another package, that is proven beside the newest; and what it cannot do yet. */
  older?: InstallRecipe & { lacks: Partial<AgentCapabilities> }
}

/** The name of a recipe's package on one platform, this one by default. */
export function packageName(
  { npmPackage }: InstallRecipe,
  platform: string = process.platform,
  arch: string = process.arch,
): string {
  const os = platform === 'win32' ? 'windows' : platform
  return npmPackage.replace('{platform}', platform).replace('{os}', os).replace('{arch}', arch)
}

/** Under this name the version is pinned for all platforms. */
export function pinnedName(recipe: InstallRecipe): string {
  return packageName(recipe, 'linux', 'x64')
}

/** One entry for each agent that can be installed privately. Versions are pinned in `conformance/package.json`. */
export const recipes: Readonly<Record<string, InstallRecipe>> = {
  amp: { npmPackage: '@ampcode/cli-{platform}-{arch}', command: 'amp', binDir: '' },
  auggie: { npmPackage: '@augmentcode/auggie', command: 'auggie' },
  // Its script links the platform's native binary over a stub.
  claude: { npmPackage: '@anthropic-ai/claude-code', command: 'claude', setupScript: 'install.cjs' },
  codex: { npmPackage: '@openai/codex', command: 'codex' },
  // The packages of the platform itself, since those that are for all lag behind or miss them on the registry.
  cline: { npmPackage: '@cline/cli-{os}-{arch}', command: 'cline', binDir: 'bin' },
  continue: { npmPackage: '@continuedev/cli', command: 'cn' },
  copilot: { npmPackage: '@github/copilot', command: 'copilot' },
  droid: { npmPackage: '@factory/cli-{platform}-{arch}', command: 'droid', binDir: 'bin' },
  gemini: { npmPackage: '@google/gemini-cli', command: 'gemini' },
  // The script of the package for all would unpack it into the user's home.
  grok: { npmPackage: '@xai-official/grok-{platform}-{arch}', command: 'grok', binDir: 'bin', brotli: 'grok.br' },
  kilo: { npmPackage: '@kilocode/cli-{os}-{arch}', command: 'kilo', binDir: 'bin' },
  kimi: { npmPackage: '@moonshot-ai/kimi-code', command: 'kimi', runtime: NODE_22 },
  openclaw: { npmPackage: 'openclaw', command: 'openclaw', runtime: NODE_24 },
  letta: { npmPackage: '@letta-ai/letta-code', command: 'letta' },
  // Its script puts the platform's native binary in the place of a stub.
  opencode: { npmPackage: 'opencode-ai', command: 'opencode', setupScript: 'postinstall.mjs' },
  'opencode-http': {
    npmPackage: 'opencode-ai',
    command: 'opencode',
    setupScript: 'postinstall.mjs',
    sharedWith: 'opencode',
  },
  omp: { npmPackage: '@oh-my-pi/pi-coding-agent', command: 'omp', runtime: BUN },
  pi: {
    npmPackage: '@earendil-works/pi-coding-agent',
    command: 'pi',
    runtime: NODE_22,
    bundled: [
      '@earendil-works/pi-agent-core',
      '@earendil-works/pi-ai',
      '@earendil-works/pi-codemode',
      '@earendil-works/pi-mcp',
      '@earendil-works/pi-tui',
    ],
    older: {
      npmPackage: '@mariozechner/pi-coding-agent',
      command: 'pi',
      // It tells the models of its own day, of which we know none.
      lacks: { supportsMCP: false, supportsSessionId: false, supportsToolLists: false, supportsModelDiscovery: false },
    },
  },
  qoder: { npmPackage: '@qoder-ai/qodercli', command: 'qodercli' },
  qwen: { npmPackage: '@qwen-code/qwen-code', command: 'qwen', runtime: NODE_22 },
}
