// Written by `npm run agents` from the folders of src/adapters.
import type { InstallRecipe } from '../contract/install-recipe.ts'
import { recipe as aider } from './aider/recipe.ts'
import { recipe as amp } from './amp/recipe.ts'
import { recipe as auggie } from './auggie/recipe.ts'
import { recipe as claude } from './claude/recipe.ts'
import { recipe as cline } from './cline/recipe.ts'
import { recipe as codex } from './codex/recipe.ts'
import { recipe as continueCli } from './continue/recipe.ts'
import { recipe as copilot } from './copilot/recipe.ts'
import { recipe as droid } from './droid/recipe.ts'
import { recipe as gemini } from './gemini/recipe.ts'
import { recipe as grok } from './grok/recipe.ts'
import { recipe as hermes } from './hermes/recipe.ts'
import { recipe as kilo } from './kilo/recipe.ts'
import { recipe as kimi } from './kimi/recipe.ts'
import { recipe as letta } from './letta/recipe.ts'
import { recipe as omp } from './omp/recipe.ts'
import { recipe as openclaw } from './openclaw/recipe.ts'
import { recipe as opencode } from './opencode/recipe.ts'
import { recipe as opencodeHttp } from './opencode-http/recipe.ts'
import { recipe as pi } from './pi/recipe.ts'
import { recipe as qoder } from './qoder/recipe.ts'
import { recipe as qwen } from './qwen/recipe.ts'
import { recipe as vibe } from './vibe/recipe.ts'

/** How each agent is installed privately. */
export const recipes: Readonly<Record<string, InstallRecipe>> = {
  aider,
  amp,
  auggie,
  claude,
  cline,
  codex,
  continue: continueCli,
  copilot,
  droid,
  gemini,
  grok,
  hermes,
  kilo,
  kimi,
  letta,
  omp,
  openclaw,
  opencode,
  'opencode-http': opencodeHttp,
  pi,
  qoder,
  qwen,
  vibe,
}
