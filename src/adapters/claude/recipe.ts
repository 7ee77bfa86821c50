import type { InstallRecipe } from '../../contract/install-recipe.ts'

// Its script links the platform's native binary over a stub.
export const recipe: InstallRecipe = {
  npmPackage: '@anthropic-ai/claude-code',
  command: 'claude',
  setupScript: 'install.cjs',
}
