// Written by `npm run agents` from the folders of src/adapters.
import { subject as aider } from './aider/subject.ts'
import { subject as amp } from './amp/subject.ts'
import { subject as auggie } from './auggie/subject.ts'
import { subject as claude } from './claude/subject.ts'
import { subject as cline } from './cline/subject.ts'
import { subject as codex } from './codex/subject.ts'
import { subject as continueCli } from './continue/subject.ts'
import { subject as copilot } from './copilot/subject.ts'
import { subject as droid } from './droid/subject.ts'
import { subject as gemini } from './gemini/subject.ts'
import { subject as grok } from './grok/subject.ts'
import { subject as hermes } from './hermes/subject.ts'
import { subject as kilo } from './kilo/subject.ts'
import { subject as kimi } from './kimi/subject.ts'
import type { Subject } from './kit/subject.ts'
import { subject as letta } from './letta/subject.ts'
import { subject as omp } from './omp/subject.ts'
import { subject as openclaw } from './openclaw/subject.ts'
import { subject as opencode } from './opencode/subject.ts'
import { subject as opencodeHttp } from './opencode-http/subject.ts'
import { subject as pi } from './pi/subject.ts'
import { subject as qoder } from './qoder/subject.ts'
import { subject as qwen } from './qwen/subject.ts'
import { subject as vibe } from './vibe/subject.ts'

/** What the suite must know of each agent to put it on the scripted server. */
export const subjects: Readonly<Record<string, Subject>> = {
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
