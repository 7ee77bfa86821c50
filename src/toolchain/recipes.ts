import type { AgentName } from '../contract/names.ts'
import { NODE_22, type Runtime } from './runtimes.ts'

/** How to get one real CLI from the npm registry, where `npm install` alone is not enough. */
export interface InstallRecipe {
  /** The package that holds the command. */
  npmPackage: string
  command: string
  /**
   * A script of the package's own that has to run after install. We install without scripts, so that no dependency
   * runs code, and then run just this one.
   */
  setupScript?: string
  /** What the command has to run on, where the user's own Node may be too old or is not Node at all. */
  runtime?: Runtime
}

/** One entry for each agent that can be installed privately. Versions are pinned in `conformance/package.json`. */
export const recipes: Readonly<Record<AgentName, InstallRecipe>> = {
  // Its script links the platform's native binary over a stub.
  claude: { npmPackage: '@anthropic-ai/claude-code', command: 'claude', setupScript: 'install.cjs' },
  codex: { npmPackage: '@openai/codex', command: 'codex' },
  kimi: { npmPackage: '@moonshot-ai/kimi-code', command: 'kimi', runtime: NODE_22 },
  qwen: { npmPackage: '@qwen-code/qwen-code', command: 'qwen', runtime: NODE_22 },
}
