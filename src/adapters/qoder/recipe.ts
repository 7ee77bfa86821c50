import type { InstallRecipe } from '../../contract/install-recipe.ts'

export const recipe: InstallRecipe = { npmPackage: '@qoder-ai/qodercli', command: 'qodercli' }
