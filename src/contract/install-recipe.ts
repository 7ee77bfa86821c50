import type { AgentCapabilities } from './capabilities.ts'
import type { AgentName } from './names.ts'

/** A runtime that we can install beside a CLI (`toolchain/runtimes.ts`). */
export type RuntimeName = 'node22' | 'node24' | 'bun'

/** How to get one real CLI from a registry. The version is the `provenVersion` of the agent's manifest. */
export type InstallRecipe = NpmRecipe | PipRecipe

interface AnyRecipe {
  command: string
  /** The agent whose installation this one also uses. */
  sharedWith?: AgentName
  /** An older form of the agent, under another package, that is proven beside the newest; and what it cannot do yet. */
  older?: OlderRecipe
}

/** From npm, where `npm install` alone is not enough. */
export interface NpmRecipe extends AnyRecipe {
  /**
   * The package that holds the command. Where each platform has its own: `{platform}` and `{arch}` are Node's names for it,
   * `{os}` is the same with `windows` for win32.
   */
  npmPackage: string
  /**
   * A script of the package's own that has to run after install. We install without scripts, so that no dependency
   * runs code, and then run just this one.
   */
  setupScript?: string
  /** What the command has to run on, where the user's own Node may be too old or is not Node at all. */
  runtime?: RuntimeName
  /** Where the command lies in the package, when the package names no command: those of one platform do not. */
  binDir?: string
  /** A file in `binDir` that is the command itself, compressed with Brotli. */
  brotli?: string
  /** Dependencies whose code is in the command's own bundle already; not all of them are on every registry. */
  bundled?: readonly string[]
}

/** From PyPI, into a virtual environment of its own. */
export interface PipRecipe extends AnyRecipe {
  pypiPackage: string
  /** Optional parts of the package, as in `package[part]`. */
  extras?: readonly string[]
  /** The versions of Python that it runs on: the oldest, and the first that is too new. */
  python: { from: string; below?: string }
}

export type OlderRecipe = NpmRecipe & {
  version: string
  lacks: Partial<AgentCapabilities>
}
