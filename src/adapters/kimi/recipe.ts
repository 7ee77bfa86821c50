import type { InstallRecipe } from '../../contract/install-recipe.ts'

export const recipe: InstallRecipe = { npmPackage: '@moonshot-ai/kimi-code', command: 'kimi', runtime: 'node22' }
