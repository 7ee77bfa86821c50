import type { InstallRecipe } from '../../contract/install-recipe.ts'

export const recipe: InstallRecipe = { npmPackage: '@kilocode/cli-{os}-{arch}', command: 'kilo', binDir: 'bin' }
