import type { InstallRecipe } from '../../contract/install-recipe.ts'

export const recipe: InstallRecipe = {
  pypiPackage: 'mistral-vibe',
  python: { from: '3.12' },
  command: 'vibe-acp',
}
