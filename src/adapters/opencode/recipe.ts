import type { InstallRecipe } from '../../contract/install-recipe.ts'

// Its script puts the platform's native binary in the place of a stub.
export const recipe: InstallRecipe = { npmPackage: 'opencode-ai', command: 'opencode', setupScript: 'postinstall.mjs' }
