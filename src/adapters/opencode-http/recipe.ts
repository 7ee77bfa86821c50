import type { InstallRecipe } from '../../contract/install-recipe.ts'

export const recipe: InstallRecipe = {
  npmPackage: 'opencode-ai',
  command: 'opencode',
  setupScript: 'postinstall.mjs',
  sharedWith: 'opencode',
}
