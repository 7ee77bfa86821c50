import type { InstallRecipe } from '../../contract/install-recipe.ts'

export const recipe: InstallRecipe = { npmPackage: '@ampcode/cli-{platform}-{arch}', command: 'amp', binDir: '' }
