import type { InstallRecipe } from '../../contract/install-recipe.ts'

export const recipe: InstallRecipe = { npmPackage: '@qwen-code/qwen-code', command: 'qwen', runtime: 'node22' }
