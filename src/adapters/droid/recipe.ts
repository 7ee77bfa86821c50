import type { InstallRecipe } from '../../contract/install-recipe.ts'

export const recipe: InstallRecipe = { npmPackage: '@factory/cli-{platform}-{arch}', command: 'droid', binDir: 'bin' }
