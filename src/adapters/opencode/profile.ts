import { SHELL_NOISE } from '../../core/opencode/tools.ts'
import { turnRecord } from '../../core/opencode/turn-record.ts'
import type { AcpProfile } from '../acp/profile.ts'
import { dialect } from './dialect.ts'

export const profile: AcpProfile = {
  args: ['acp'],
  toolName: 'title',
  shellNoise: SHELL_NOISE,
  guidance: dialect.guidance,
  turnRecord: turnRecord(dialect),
}
