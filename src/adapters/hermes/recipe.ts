import type { InstallRecipe } from '../../contract/install-recipe.ts'

export const recipe: InstallRecipe = {
  pypiPackage: 'hermes-agent',
  extras: ['acp', 'mcp'],
  python: { from: '3.11', below: '3.14' },
  command: 'hermes',
}
