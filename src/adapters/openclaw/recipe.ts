import type { InstallRecipe } from '../../contract/install-recipe.ts'

export const recipe: InstallRecipe = { npmPackage: 'openclaw', command: 'openclaw', runtime: 'node24' }
