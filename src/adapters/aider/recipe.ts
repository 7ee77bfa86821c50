import type { InstallRecipe } from '../../contract/install-recipe.ts'

/** Its packages have no wheels for Python 3.13 (0.86.2). */
export const recipe: InstallRecipe = {
  pypiPackage: 'aider-chat',
  command: 'aider',
  python: { from: '3.10', below: '3.13' },
}
