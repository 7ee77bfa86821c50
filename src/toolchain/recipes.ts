import { manifests } from '../adapters/manifests.ts'
import type { InstallRecipe, OlderRecipe } from '../contract/install-recipe.ts'

/** The name of a recipe's package on one platform, this one by default. */
export function packageName(
  recipe: InstallRecipe,
  platform: string = process.platform,
  arch: string = process.arch,
): string {
  if ('pypiPackage' in recipe) return recipe.pypiPackage
  const os = platform === 'win32' ? 'windows' : platform
  return recipe.npmPackage.replace('{platform}', platform).replace('{os}', os).replace('{arch}', arch)
}

/** The exact version that the suite proves: that of the manifest, or of an older form. */
export function pinnedVersion(agent: string, recipe: InstallRecipe | OlderRecipe): string | undefined {
  if ('version' in recipe) return recipe.version
  return manifests.find((manifest) => manifest.agent === agent)?.provenVersion
}
