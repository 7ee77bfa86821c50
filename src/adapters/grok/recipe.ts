import type { InstallRecipe } from '../../contract/install-recipe.ts'

// The script of the package for all would unpack it into the user's home.
export const recipe: InstallRecipe = {
  npmPackage: '@xai-official/grok-{platform}-{arch}',
  command: 'grok',
  binDir: 'bin',
  brotli: 'grok.br',
}
