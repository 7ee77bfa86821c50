// Written by `npm run agents` from the folders of src/adapters.
import type { AdapterManifest } from '../contract/manifest.ts'
import { manifest as agentMuxRemote } from './agent-mux-remote/manifest.ts'
import { manifest as agy } from './agy/manifest.ts'
import { manifest as aider } from './aider/manifest.ts'
import { manifest as amp } from './amp/manifest.ts'
import { manifest as auggie } from './auggie/manifest.ts'
import { manifest as claude } from './claude/manifest.ts'
import { manifest as cline } from './cline/manifest.ts'
import { manifest as codex } from './codex/manifest.ts'
import { manifest as continueCli } from './continue/manifest.ts'
import { manifest as copilot } from './copilot/manifest.ts'
import { manifest as crush } from './crush/manifest.ts'
import { manifest as cursor } from './cursor/manifest.ts'
import { manifest as devin } from './devin/manifest.ts'
import { manifest as droid } from './droid/manifest.ts'
import { manifest as gemini } from './gemini/manifest.ts'
import { manifest as goose } from './goose/manifest.ts'
import { manifest as grok } from './grok/manifest.ts'
import { manifest as hermes } from './hermes/manifest.ts'
import { manifest as junie } from './junie/manifest.ts'
import { manifest as kilo } from './kilo/manifest.ts'
import { manifest as kimi } from './kimi/manifest.ts'
import { manifest as kiro } from './kiro/manifest.ts'
import { manifest as letta } from './letta/manifest.ts'
import { manifest as omp } from './omp/manifest.ts'
import { manifest as openclaw } from './openclaw/manifest.ts'
import { manifest as opencode } from './opencode/manifest.ts'
import { manifest as opencodeHttp } from './opencode-http/manifest.ts'
import { manifest as pi } from './pi/manifest.ts'
import { manifest as qoder } from './qoder/manifest.ts'
import { manifest as qwen } from './qwen/manifest.ts'
import { manifest as roo } from './roo/manifest.ts'
import { manifest as vibe } from './vibe/manifest.ts'

/**
 * All of them, because `run()` must refuse synchronously what an agent cannot do. In the package this module is one file
 * of data (`scripts/freeze-manifests.mjs`): thirty modules would make up half of what importing the library costs.
 */
export const manifests: readonly AdapterManifest[] = [
  agentMuxRemote,
  agy,
  aider,
  amp,
  auggie,
  claude,
  cline,
  codex,
  continueCli,
  copilot,
  crush,
  cursor,
  devin,
  droid,
  gemini,
  goose,
  grok,
  hermes,
  junie,
  kilo,
  kimi,
  kiro,
  letta,
  omp,
  openclaw,
  opencode,
  opencodeHttp,
  pi,
  qoder,
  qwen,
  roo,
  vibe,
]
