import { acpAdapter } from '../families/acp/index.ts'
import { manifest } from './manifest.ts'

/** The Devin CLI, over ACP. */
export class DevinAdapter extends acpAdapter(manifest, {
  args: ['acp'],
  guidance: 'Run `devin auth login`.',
}) {}

export default new DevinAdapter()
