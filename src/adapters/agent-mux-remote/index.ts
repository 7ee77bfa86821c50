import { adapterOf } from '../built-in.ts'
import { buildSpawnArgs } from './args.ts'
import { createDialogue } from './dialogue.ts'
import { manifest } from './manifest.ts'

/** A run on another agent-mux: `amux run --stdio` at the other end of whatever command leads there. */
export class AgentMuxRemoteAdapter extends adapterOf({ manifest, buildSpawnArgs, createDialogue }) {}

export default new AgentMuxRemoteAdapter()
