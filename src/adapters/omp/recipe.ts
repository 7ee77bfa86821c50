import type { InstallRecipe } from '../../contract/install-recipe.ts'

export const recipe: InstallRecipe = { npmPackage: '@oh-my-pi/pi-coding-agent', command: 'omp', runtime: 'bun' }
