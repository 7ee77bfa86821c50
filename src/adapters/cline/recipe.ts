import type { InstallRecipe } from '../../contract/install-recipe.ts'

// The packages of the platform itself, since those that are for all lag behind or miss them on the registry.
export const recipe: InstallRecipe = { npmPackage: '@cline/cli-{os}-{arch}', command: 'cline', binDir: 'bin' }
